import {
  type Action,
  type Permission,
  type PermissionRule,
  type ResourceType,
  type Selector,
  selectors,
} from './permission-rule.ts'

/** An action on one resource; ids that do not apply, or do not exist yet, are left out. */
export type AccessRequest = Permission & {
  [name in (typeof selectors)[Selector]]?: string | null | undefined
}

type CompiledRule = {
  mode: 'allow' | 'block'
  action: Action | '*'
  resourceType: ResourceType | null
  /** Only selectors that leave something out. */
  selected: { property: (typeof selectors)[Selector]; ids: ReadonlySet<string> }[]
}

/** A token's compiled rules; the last rule comes first, because it decides first. */
export type Permissions = { readonly rules: readonly CompiledRule[] }

/** Prepares rules that have passed `permissionErrors`, once per version of a token. */
export function compilePermissions(rules: readonly PermissionRule[]): Permissions {
  return { rules: rules.map(compileRule).reverse() }
}

function compileRule(rule: PermissionRule): CompiledRule {
  const selected = (Object.keys(selectors) as Selector[]).flatMap((name) => {
    const ids = rule[name]
    return ids === undefined || ids.includes('*') ? [] : [{ property: selectors[name], ids: new Set(ids) }]
  })
  return { mode: rule.mode, action: rule.action, resourceType: rule.resourceType ?? null, selected }
}

/** The last rule that matches decides; nothing is allowed by default. Restoring needs viewing too (contract 3). */
export function decide(permissions: Permissions, request: AccessRequest): 'allow' | 'block' {
  const rule = permissions.rules.find((candidate) => matches(candidate, request))
  if (rule?.mode !== 'allow') return 'block'
  const viewing = viewsNeeded[request.action]
  if (viewing === undefined) return 'allow'
  return viewing.some((action) => decide(permissions, { ...request, action }) === 'allow') ? 'allow' : 'block'
}

/** Whether nothing is left out of what a token may do: a rule allows all, and none behind it blocks anything. */
export function allowsEverything({ rules }: Permissions): boolean {
  const last = rules.find(({ mode, action }) => mode === 'block' || action === '*')
  if (last === undefined) return false
  const { mode, action, resourceType, selected } = last
  return mode === 'allow' && action === '*' && resourceType === null && selected.length === 0
}

/** The position, among the rules as they were given, of the last one that matches; null: none does. */
export function decidingRule({ rules }: Permissions, request: AccessRequest): number | null {
  const at = rules.findIndex((rule) => matches(rule, request))
  return at < 0 ? null : rules.length - 1 - at
}

/** Actions that need one of these others on the same resource. */
const viewsNeeded: { [action in Action]?: readonly Action[] } = {
  restore: ['view'],
  'restore-with-identity': ['view', 'view-with-identity'],
}

function matches(rule: CompiledRule, request: AccessRequest): boolean {
  if (!concerns(rule, request.action, request.resourceType)) return false
  return rule.selected.every(({ property, ids }) => {
    const id = request[property]
    return id !== undefined && id !== null && ids.has(id)
  })
}

/** A set of ids by its exceptions: `rest` says whether all other ids are in it; those of `except` are the opposite. */
export type IdSelection = { rest: boolean; except: readonly string[] }

/** A function that tells whether a selection has an id. */
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
 * The items of one list on which the request is allowed: one pass over the rules, however many items they name.
 * @param request without an item; for an action that needs no other action
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

/**
 * What one rule decides about identities that it selects by id, by the name of their group, or by both. Null: it does not
 * select by that.
 */
export type IdentityRule = { allow: boolean; ids: readonly string[] | null; groups: readonly string[] | null }

/**
 * The rules that decide about identities, in the order in which the first that matches decides; an identity that none
 * matches is not allowed. Null: all identities are allowed.
 * @param request for an action that needs no other action
 */
export function selectIdentities(
  permissions: Permissions,
  { action, resourceType }: Pick<AccessRequest, 'action' | 'resourceType'>,
): readonly IdentityRule[] | null {
  const rules: IdentityRule[] = []
  for (const rule of permissions.rules) {
    const selectsOthers = rule.selected.some(({ property }) => property !== 'identityId' && property !== 'group')
    if (selectsOthers || !concerns(rule, action, resourceType)) continue
    rules.push({ allow: rule.mode === 'allow', ids: idsOf(rule, 'identityId'), groups: idsOf(rule, 'group') })
    if (rule.selected.length === 0) break
  }
  const [first] = rules
  return first?.allow && first.ids === null && first.groups === null ? null : rules
}

function idsOf(rule: CompiledRule, property: (typeof selectors)[Selector]): string[] | null {
  const selection = rule.selected.find((candidate) => candidate.property === property)
  return selection ? [...selection.ids] : null
}

function concerns(rule: CompiledRule, action: Action, resourceType: ResourceType): boolean {
  if (rule.resourceType !== null && rule.resourceType !== resourceType) return false
  if (rule.action === action) return true
  return rule.action === '*' && (rule.mode === 'block' || !alwaysNamed.has(action))
}

/** An allow rule with `*` does not include these. */
export const alwaysNamed: ReadonlySet<Action> = new Set<Action>(['reset-password', 'verify-email'])

/**
 * Whether the request could be allowed on some resource of its type: some allow rule is not wholly blocked by later ones.
 * Contract 1.2: without such a rule the response is 403 instead of 404.
 * @param request the ids in it are those of all these resources: of the identity that acts as their owner
 */
export function couldEverBeAllowed({ rules }: Permissions, request: AccessRequest): boolean {
  const { action, resourceType } = request
  const blocks: CompiledRule[] = []
  const reachable = rules.some((rule) => {
    if (!concerns(rule, action, resourceType)) return false
    const open = withoutKnown(rule, request)
    if (!open) return false
    if (rule.mode === 'allow') return selectsType(open, resourceType) && leavesSomething(open, blocks)
    blocks.push(open)
    return false
  })
  const viewing = viewsNeeded[action]
  return (
    reachable &&
    (viewing === undefined || viewing.some((view) => couldEverBeAllowed({ rules }, { ...request, action: view })))
  )
}

/** A rule without its selectors of ids that the request has; null when it selects others. */
function withoutKnown(rule: CompiledRule, request: AccessRequest): CompiledRule | null {
  const selected: CompiledRule['selected'] = []
  for (const selection of rule.selected) {
    const id = request[selection.property]
    if (id === undefined) selected.push(selection)
    else if (id === null || !selection.ids.has(id)) return null
  }
  return { ...rule, selected }
}

/** What resources of a type can be selected by, beside the identity that acts as their owner. */
export const selectable: Record<ResourceType, readonly CompiledRule['selected'][number]['property'][]> = {
  list: ['listId'],
  item: ['listId', 'itemId'],
  index: ['listId', 'indexId'],
  identity: ['identityId', 'group'],
  event: ['listId', 'itemId', 'indexId', 'identityId', 'group'],
  stats: ['listId', 'itemId', 'indexId', 'identityId', 'group'],
  flow: ['flowId'],
}

/** A rule for some items, of any type, matches no list. */
function selectsType({ selected }: CompiledRule, resourceType: ResourceType): boolean {
  return selected.every(({ property }) => selectable[resourceType].includes(property))
}

/**
 * A rule that selects along several properties counts as blocked when blocks take every id of one of them,
 * or when one block covers it; combinations of blocks along different properties are not examined.
 */
function leavesSomething(allow: CompiledRule, blocks: readonly CompiledRule[]): boolean {
  if (blocks.some((block) => covers(block, allow))) return false
  return allow.selected.every(({ property, ids }) => {
    const taken = blocks.filter((block) => covers(block, allow, property))
    return [...ids].some((id) => !taken.some((block) => selects(block, property, id)))
  })
}

/** Whether the block rule matches everything that the allow rule matches, apart from one property. */
function covers(block: CompiledRule, allow: CompiledRule, except?: string): boolean {
  return block.selected.every(({ property, ids }) => {
    if (property === except) return true
    return allow.selected.some((selection) => selection.property === property && selection.ids.isSubsetOf(ids))
  })
}

function selects(rule: CompiledRule, property: string, id: string): boolean {
  const selection = rule.selected.find((candidate) => candidate.property === property)
  return selection === undefined || selection.ids.has(id)
}
