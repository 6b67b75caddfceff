import { mayHold } from '#shared/domain/access/compiled-rules.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import { isPermitted, type OwnedAccessRequest } from '#shared/domain/access/permissions.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { holdsFor, type ItemState, type RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import type { ItemChanges } from '#shared/domain/item-rules/item-changes.ts'
import { areConditional } from '#shared/domain/item-rules/item-sets.ts'
import type { ItemPrincipal, TokenPrincipal } from '../request/principal.ts'
import { isHiddenDraft } from './visibility.ts'

/** The state of an item on which rules are evaluated. For a write: `changes` of the write, and whether the state is the one after it. */
export type AskedState = ItemState & { isAfter?: boolean; changes?: ItemChanges }

/** The request for an action on an item in one of its states, on which conditions of rules are evaluated. */
export function requestOn(principal: ItemPrincipal, action: Action, state: AskedState): OwnedAccessRequest {
  const { id: itemId, identity } = state.item
  const request = {
    action,
    resourceType: 'item',
    listId: state.list.id,
    itemId,
    ownerId: identity?.id ?? null,
  } as const
  return principal.mode === 'token' ? { ...request, holds: holdsFor(principal, state) } : request
}

/**
 * The request for an action on an item that is not known yet: rules with conditions may allow it, and none denies it. The rules for
 * the item itself decide later.
 */
export function requestInAdvance(list: Pick<RuledList, 'id'>, action: Action): OwnedAccessRequest {
  return { action, resourceType: 'item', listId: list.id, holds: mayHold }
}

/**
 * Whether a principal sees an item in one of its states, which may be a draft (contract 1.2, 2.2): by the rules of a token, with the
 * current settings of the list. Streams of changes check the states before and after a change: an item that is no longer seen is
 * reported as deleted, and one that was not seen before as updated.
 */
export function seesState(principal: ItemPrincipal, list: RuledList, item: Item): boolean {
  if (principal.mode !== 'token') return true
  return isPermitted(principal, requestOn(principal, 'view', { list, item })) && !isHiddenDraft(principal, list, item)
}

/**
 * Whether conditions of rules decide which items of a list a token sees. For such a token, invisible items do not exist, even
 * if it may change them.
 */
export function viewsByConditions(principal: ItemPrincipal, listId: string): principal is TokenPrincipal {
  return principal.mode === 'token' && areConditional(principal, listId, 'view')
}

/** The entries of `changes` in the conditions of all rules of a token that apply to a list. */
export function askedChanges({ permissions: { rules } }: TokenPrincipal, listId: string): string[] {
  return rules.flatMap(({ conditions, selected }) => {
    const lists = selected.find(({ property }) => property === 'listId')
    return (lists?.ids.has(listId) ?? true) ? (conditions?.changes ?? []) : []
  })
}
