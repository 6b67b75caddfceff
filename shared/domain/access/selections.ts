import {
  type AccessRequest,
  type CompiledRule,
  concerns,
  matches,
  type Permissions,
  type Selected,
} from './compiled-rules.ts'

/** A set of ids, stored by exceptions: if `rest` is true, all ids but those in `except`; otherwise only those in `except`. */
export type IdSelection = { rest: boolean; except: readonly string[] }

/** A function that checks whether a selection has an id. */
export function isSelected({ rest, except }: IdSelection): (id: string) => boolean {
  const exceptions = new Set(except)
  return (id) => exceptions.has(id) !== rest
}

/** The ids that are in both selections. */
export function inBoth(one: IdSelection, other: IdSelection): IdSelection {
  return combined(one, other, (inOne, inOther) => inOne && inOther)
}

/** The ids that are in one of the selections, or in both. */
export function inEither(one: IdSelection, other: IdSelection): IdSelection {
  return combined(one, other, (inOne, inOther) => inOne || inOther)
}

function combined(
  one: IdSelection,
  other: IdSelection,
  isIn: (inOne: boolean, inOther: boolean) => boolean,
): IdSelection {
  const [named, alsoNamed] = [new Set(one.except), new Set(other.except)]
  const rest = isIn(one.rest, other.rest)
  const has = (id: string) => isIn(named.has(id) !== one.rest, alsoNamed.has(id) !== other.rest)
  return { rest, except: [...named.union(alsoNamed)].filter((id) => has(id) !== rest) }
}

/**
 * The items of one list on which the request is allowed. Takes one pass over the rules, regardless of how many items they name.
 * @param request without an item, for an action that requires no other action
 */
export function selectItems(permissions: Permissions, request: Omit<AccessRequest, 'itemId'>): IdSelection {
  return select(permissions, request, 'itemId')
}

/** The same for the lists of an account. */
export function selectLists(permissions: Permissions, request: Omit<AccessRequest, 'listId'>): IdSelection {
  return select(permissions, request, 'listId')
}

/** The same for the flows of an account. */
export function selectFlows(permissions: Permissions, request: Omit<AccessRequest, 'flowId'>): IdSelection {
  return select(permissions, request, 'flowId')
}

function select(
  permissions: Permissions,
  request: AccessRequest,
  property: 'itemId' | 'listId' | 'flowId',
): IdSelection {
  const decided = new Map<string, boolean>()
  const last = permissions.rules.find((rule) => {
    const named = rule.selected.find((selection) => selection.property === property)
    const [id] = named?.ids ?? []
    if (!matches(rule, { ...request, [property]: id })) return false
    for (const id of named?.ids ?? []) if (!decided.has(id)) decided.set(id, rule.mode === 'allow')
    return named === undefined
  })
  const rest = last?.mode === 'allow'
  return { rest, except: [...decided].flatMap(([id, allowed]) => (allowed === rest ? [] : [id])) }
}

/** The decision of one rule on the identities that it selects by id, group name or both. Null: it does not select by that property. */
export type IdentityRule = { allow: boolean; ids: readonly string[] | null; groups: readonly string[] | null }

/**
 * The rules that decide about identities: the first match decides, and an identity that matches none is not allowed. Null: all identities
 * are allowed.
 * @param request for an action that requires no other action
 */
export function selectIdentities(
  permissions: Permissions,
  request: Pick<AccessRequest, 'action' | 'resourceType'>,
): readonly IdentityRule[] | null {
  const rules: IdentityRule[] = []
  for (const rule of permissions.rules) {
    const selectsOthers = rule.selected.some(({ property }) => property !== 'identityId' && property !== 'group')
    if (selectsOthers || !concerns(rule, request)) continue
    rules.push({ allow: rule.mode === 'allow', ids: idsOf(rule, 'identityId'), groups: idsOf(rule, 'group') })
    if (rule.selected.length === 0) break
  }
  const [first] = rules
  return first?.allow && first.ids === null && first.groups === null ? null : rules
}

function idsOf(rule: CompiledRule, property: Selected): string[] | null {
  const selection = rule.selected.find((candidate) => candidate.property === property)
  return selection ? [...selection.ids] : null
}
