import {
  type AccessRequest,
  type CompiledRule,
  isConditional,
  isConditionalFor,
  type Permissions,
  selectsOf,
} from '../access/compiled-rules.ts'
import { type Grant, ownerForm, ownerRequest } from '../access/permissions.ts'
import { questionsOf, type RuledList } from './bound-rules.ts'
import { all, any, type Folded, not } from './fold.ts'

type ItemAction = 'view' | 'update'

/** Whether rules with conditions decide about an action on the items of a list. */
export function areConditional(
  { permissions }: Pick<Grant, 'permissions'>,
  listId: string,
  action: ItemAction,
): boolean {
  const request = { action, resourceType: 'item' } as const
  const asOwner = { ...request, action: ownerForm(request) ?? action }
  return permissions.rules.some((rule) => isConditionalFor(rule, listId, [request, asOwner]))
}

/** The items of a list that a page shows, as a question: those whose current state the rules allow to view. */
export function viewedItems(caller: Grant, list: RuledList): Folded {
  return permittedItems(caller, list, 'view')
}

/** The drafts among them that the token may see: those of its identity, and those that it may update in their current state. */
export function viewedDrafts(caller: Grant, list: RuledList): Folded {
  return all([viewedItems(caller, list), any([permittedItems(caller, list, 'update'), ownedItems(caller)])])
}

/** The items on which an action is allowed, by rules for the action itself or its form for owners, as in `decideOn`. */
function permittedItems(caller: Grant, list: RuledList, action: ItemAction): Folded {
  const request = { action, resourceType: 'item', listId: list.id } as const
  const regardlessOfOwner = fold(caller, list, request)
  const asOwner = ownerRequest(caller, request)
  if (!asOwner) return regardlessOfOwner
  return any([regardlessOfOwner, all([ownedItems(caller), fold(caller, list, asOwner)])])
}

function ownedItems({ identity }: Grant): Folded {
  return identity !== null && { kind: 'owner', ids: [identity.id] }
}

/** Folds rules from first to last: each adds items to those that earlier rules allow, or removes some. */
function fold(caller: Grant, list: RuledList, request: AccessRequest): Folded {
  return firstToLast(caller.permissions).reduce<Folded>((allowed, rule) => {
    const named = namedItems(rule, request)
    if (named === false) return allowed
    if (rule.mode === 'allow') return any([all([named, whereTrue(caller, rule, list)]), allowed])
    return all([any([not(named), whereFalse(caller, rule, list)]), allowed])
  }, false)
}

const firstToLast = ({ rules }: Permissions) => [...rules].reverse()

/** The items that a rule selects, regardless of its conditions. */
function namedItems(rule: CompiledRule, request: AccessRequest): Folded {
  const named = rule.selected.find(({ property }) => property === 'itemId')
  const [itemId] = named?.ids ?? []
  if (!selectsOf(rule, { ...request, itemId })) return false
  return named ? { kind: 'id', ids: [...named.ids] } : true
}

function whereTrue(caller: Grant, rule: CompiledRule, list: RuledList): Folded {
  return isConditional(rule) ? questionsOf(caller, rule, list).isTrue : true
}

/** The items that a block rule leaves. Reading changes nothing, so a block rule with `changes` blocks nothing. */
function whereFalse(caller: Grant, rule: CompiledRule, list: RuledList): Folded {
  if (!isConditional(rule)) return false
  return rule.conditions.changes ? true : questionsOf(caller, rule, list).isFalse
}
