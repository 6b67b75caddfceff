import type { Action, PermissionRule, ResourceType } from '#shared/domain/access/permission-rule.ts'

// A second evaluation of a token's rules, written only from the contract's sentences: slow, but short enough to compare with them.
// It shares no code with the product's evaluation, which is compared with it.

/** The selectors of a resource (contract 3); `owner` is the identity that owns an item, or the item of an event. */
export type Resource = {
  list?: string
  item?: string
  index?: string
  identity?: string
  group?: string
  flow?: string
  owner?: string
}

/** A token's rules, and the identity it acts for, which may be in a group. */
export type Token = { rules: readonly PermissionRule[]; identity: string | null; group?: string }

/** "Nothing is allowed by default; the last rule that matches decides." */
export function rulesAllow(
  rules: readonly PermissionRule[],
  [action, type]: readonly [Action, ResourceType],
  on: Resource,
): boolean {
  let allowed = false
  for (const rule of rules) {
    const matches = namesAction(rule, action) && (rule.resourceType ?? type) === type && selects(rule, on)
    if (matches) allowed = rule.mode === 'allow'
  }
  return allowed
}

/** "An allow rule with `*` does not include `reset-password` and `verify-email`; a block rule with `*` includes everything." */
function namesAction(rule: PermissionRule, action: Action): boolean {
  if (rule.action !== '*') return rule.action === action
  return rule.mode === 'block' || !['reset-password', 'verify-email'].includes(action)
}

/** "Selector arrays hold ids or `*`; absent = all." */
function selects({ listIds, itemIds, indexIds, identityIds, groups, flowIds }: PermissionRule, on: Resource): boolean {
  const selected = (ids: string[] | undefined, id: string | undefined) =>
    ids === undefined || ids.includes('*') || (id !== undefined && ids.includes(id))
  return (
    [selected(listIds, on.list), selected(itemIds, on.item), selected(indexIds, on.index)].every(Boolean) &&
    [selected(identityIds, on.identity), selected(groups, on.group), selected(flowIds, on.flow)].every(Boolean)
  )
}

/**
 * "`X-with-identity` applies only to requests with identity headers and only to items that identity owns
 * (`create-with-identity`: any); X and its `-with-identity` form are different actions."
 */
export function mayDo(
  { rules, identity, group }: Token,
  [action, type]: readonly [Action, ResourceType],
  on: Resource,
): boolean {
  if (rulesAllow(rules, [action, type], on)) return true
  const isOwn = identity !== null && (action === 'create' || action === 'run' || on.owner === identity)
  const hasOwner = type === 'item' || type === 'event' || (type === 'flow' && action === 'run')
  return (
    isOwn &&
    hasOwner &&
    rulesAllow(rules, [`${action}-with-identity` as Action, type], { ...on, identity, ...(group && { group }) })
  )
}

/**
 * "`activated: false` hides the item from tokens that may not update it and from identities that do not own it": such a draft
 * does not exist for them.
 */
export function knowsItem(token: Token, item: Resource & { activated: boolean }): boolean {
  const owns = token.identity !== null && item.owner === token.identity
  return item.activated || owns || mayDo(token, ['update', 'item'], item)
}

/** The selectors of resources of a type. */
const selectedBy: Record<ResourceType, readonly (keyof Resource)[]> = {
  list: ['list'],
  item: ['list', 'item'],
  index: ['list', 'index'],
  identity: ['identity', 'group'],
  flow: ['flow'],
  event: ['list', 'item', 'index', 'identity', 'group'],
  stats: ['list', 'item', 'index', 'identity', 'group'],
}

/** Whether a rule "lets it do this action on any resource of that type": on one that a rule names, or on any other. */
export function mayEverDo(token: Token, permission: readonly [Action, ResourceType]): boolean {
  const named = token.rules.flatMap(({ listIds, itemIds, indexIds, identityIds, groups, flowIds }) =>
    [listIds, itemIds, indexIds, identityIds, groups, flowIds].flatMap((ids) => ids ?? []),
  )
  const own: Resource[] = [token.identity === null ? {} : { owner: token.identity }]
  const resources = selectedBy[permission[1]].reduce(
    (some, property) => some.flatMap((on) => [...named, 'any other'].map((id) => ({ ...on, [property]: id }))),
    own,
  )
  return resources.some((on) => mayDo(token, permission, on))
}
