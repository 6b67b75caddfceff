import {
  type Action,
  type Permission,
  type PermissionRule,
  type ResourceType,
  type Selector,
  selectors,
} from './permission-rule.ts'
import { hasConditions, type RuleConditions, type RuleIndex } from './rule-conditions.ts'

/** An action on one resource. Ids that do not apply or do not exist yet are absent. */
export type AccessRequest = Permission & {
  [name in (typeof selectors)[Selector]]?: string | null | undefined
} & {
  /** Whether the conditions of a rule hold for the state of the item; absent: not checked. */
  holds?: Holds | undefined
}

/** Whether the conditions of a rule hold; null: unknown, because a caller value or an index is missing. */
export type Holds = (rule: ConditionalRule) => boolean | null

/** The properties of a request that selectors compare. */
export type Selected = (typeof selectors)[Selector]

/** For a request whose state is not known yet: assumes that allow rules with conditions apply, and block rules with conditions do not. */
export const mayHold: Holds = ({ mode }) => mode === 'allow'

export type CompiledRule = {
  mode: 'allow' | 'block'
  action: Action | '*'
  resourceType: ResourceType | null
  /** The selectors that exclude some ids. */
  selected: { property: Selected; ids: ReadonlySet<string> }[]
  /**
   * For an allow rule whose selectors exclude no id: the properties of which a covered resource has at least one (contract 3). Null: it
   * covers every kind.
   */
  kinds: readonly Selected[] | null
  conditions: CompiledConditions | null
}

/** The conditions of a rule, and the indexes as they were when it was saved. */
export type CompiledConditions = RuleConditions & { indexes: readonly RuleIndex[] }
export type ConditionalRule = CompiledRule & { conditions: CompiledConditions }

/** A token's compiled rules; the last rule comes first, because it decides first. */
export type Permissions = { readonly rules: readonly CompiledRule[] }

/**
 * Prepares rules that have passed `permissionErrors`, once per version of a token.
 * @param indexes those that conditions name; a condition on a missing index is unknown
 */
export function compilePermissions(rules: readonly PermissionRule[], indexes: readonly RuleIndex[] = []): Permissions {
  return { rules: rules.map((rule) => compileRule(rule, indexes)).reverse() }
}

export function compileRule(rule: PermissionRule, indexes: readonly RuleIndex[] = []): CompiledRule {
  const { mode, action, resourceType = null } = rule
  const named = (Object.keys(selectors) as Selector[]).filter((name) => rule[name] !== undefined)
  const selected = named.flatMap((name) => {
    const ids = rule[name] ?? []
    return ids.includes('*') ? [] : [{ property: selectors[name], ids: new Set(ids) }]
  })
  const isNarrowed = mode === 'allow' && named.length > 0 && selected.length === 0
  return {
    mode,
    action,
    resourceType,
    selected,
    kinds: isNarrowed ? named.map((name) => selectors[name]) : null,
    conditions: hasConditions(rule) ? { ...conditionsOf(rule), indexes } : null,
  }
}

function conditionsOf({ where, becomes, changes }: RuleConditions): RuleConditions {
  return { ...(where && { where }), ...(becomes && { becomes }), ...(changes && { changes }) }
}

export function isConditional(rule: CompiledRule): rule is ConditionalRule {
  return rule.conditions !== null
}

/** Whether a rule has conditions and concerns one of these permissions on items of a list. */
export function isConditionalFor(
  rule: CompiledRule,
  listId: string | undefined,
  permissions: readonly Permission[],
): boolean {
  if (!isConditional(rule) || listId === undefined) return false
  const lists = rule.selected.find(({ property }) => property === 'listId')
  return (lists?.ids.has(listId) ?? true) && permissions.some((permission) => concernsAction(rule, permission))
}

/**
 * Whether a rule decides a request. With conditions, an allow rule decides only if they are true, a block rule unless they are false. So if
 * conditions are not checked, the allow rule does not apply, and the block rule applies as if it had none.
 */
export function matches(rule: CompiledRule, request: AccessRequest): boolean {
  if (!selectsOf(rule, request)) return false
  if (!isConditional(rule)) return true
  const holds = request.holds?.(rule) ?? null
  return rule.mode === 'allow' ? holds === true : holds !== false
}

/** Whether a rule applies to a request, regardless of its conditions. */
export function selectsOf(rule: CompiledRule, request: AccessRequest): boolean {
  if (!concerns(rule, request)) return false
  return rule.selected.every(({ property, ids }) => {
    const id = request[property]
    return id !== undefined && id !== null && ids.has(id)
  })
}

/** Whether a rule applies to the action and kind of resource of a request, regardless of the ids that it selects. */
export function concerns(rule: CompiledRule, request: AccessRequest): boolean {
  return concernsAction(rule, request) && (rule.kinds?.some((property) => canBeSelected(request, property)) ?? true)
}

/** The same by action and type alone. */
export function concernsAction(rule: CompiledRule, { action, resourceType }: Permission): boolean {
  if (rule.resourceType !== null && rule.resourceType !== resourceType) return false
  if (rule.action === action) return true
  return rule.action === '*' && (rule.mode === 'block' || !alwaysNamed.has(action))
}

/** Actions that an allow rule with `*` does not include. */
export const alwaysNamed: ReadonlySet<Action> = new Set<Action>(['reset-password', 'verify-email'])

/** Whether the resource of a request can be selected by a property. Events and stats are selected by their resource, if the request names it. */
function canBeSelected(request: AccessRequest, property: Selected): boolean {
  if (request[property] !== undefined) return true
  const { action, resourceType, listId, identityId } = request
  const isOfSomething = listId !== undefined || (identityId !== undefined && !action.endsWith('-with-identity'))
  return canSelect(request, property) && !(isOfSomething && (resourceType === 'event' || resourceType === 'stats'))
}

/** Whether a property can select the resource of some request for this permission, or the owner that sends it. */
export function canSelect({ action, resourceType }: Permission, property: Selected): boolean {
  if (selectable[resourceType].includes(property)) return true
  return action.endsWith('-with-identity') && (property === 'identityId' || property === 'group')
}

/** The properties that can select resources of a type, in addition to the identity that acts as their owner. */
export const selectable: Record<ResourceType, readonly Selected[]> = {
  list: ['listId'],
  item: ['listId', 'itemId'],
  index: ['listId', 'indexId'],
  identity: ['identityId', 'group'],
  event: ['listId', 'itemId', 'indexId', 'identityId', 'group'],
  stats: ['listId', 'itemId', 'indexId', 'identityId', 'group'],
  flow: ['flowId'],
}

/** Whether a token may do everything: a rule allows all, and no later rule blocks anything. */
export function allowsEverything({ rules }: Permissions): boolean {
  const last = rules.find(({ mode, action }) => mode === 'block' || action === '*')
  if (last === undefined) return false
  const { mode, action, resourceType, selected, kinds } = last
  return mode === 'allow' && action === '*' && resourceType === null && selected.length === 0 && kinds === null
}
