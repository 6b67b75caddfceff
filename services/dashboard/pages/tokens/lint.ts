import { accessCalls } from '#shared/domain/access/calls.ts'
import {
  alwaysNamed,
  canSelect,
  compilePermissions,
  compileRule,
  concerns,
  type Selected,
  selectable,
} from '#shared/domain/access/compiled-rules.ts'
import {
  type Action,
  type Permission,
  type PermissionRule,
  type ResourceType,
  type Selector,
  selectors,
} from '#shared/domain/access/permission-rule.ts'
import { couldEverBeAllowed, ownerForm } from '#shared/domain/access/permissions.ts'
import { hasConditions } from '#shared/domain/access/rule-conditions.ts'
import { rulesNaming } from '#shared/domain/item-rules/rule-findings.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { canonicalJson } from '#shared/json/canonical.ts'

/** A likely mistake in rules. `rules`: their positions. */
export type Finding = { rules: readonly number[]; text: string }

/**
 * Finds likely mistakes in rules.
 * @param gone the lists that the rules name and that do not exist
 * @param indexesOf the indexes of a list with conditions; undefined: they are not known
 */
export function findingsOf(
  rules: readonly PermissionRule[],
  gone: ReadonlySet<string>,
  indexesOf: (listId: string) => readonly ListIndex[] | undefined = () => undefined,
): Finding[] {
  if (rules.length === 0) return [{ rules: [], text: 'Without rules, the token is not allowed to do anything.' }]
  const positions = (has: (rule: PermissionRule) => boolean) => rules.flatMap((rule, n) => (has(rule) ? [n] : []))
  const found: Finding[] = []
  const tell = (some: readonly number[], text: string) => void (some.length > 0 && found.push({ rules: some, text }))
  tell(
    positions((rule) => !canMatch(rule)),
    'can never match: no API call needs this permission.',
  )
  for (const [n, rule] of rules.entries()) {
    const over = rules.findLastIndex((later, at) => at > n && covers(later, rule))
    if (over >= 0) tell([n], `can never decide: rule ${over + 1} follows it and matches everything it matches.`)
  }
  tell(
    positions(({ listIds }) => listIds?.some((id) => gone.has(id)) ?? false),
    'names a list that no longer exists.',
  )
  for (const [n, rule] of rules.entries()) {
    const listIds = rule.listIds?.filter((id) => indexesOf(id))
    if (!listIds || listIds.length === 0 || !hasConditions(rule)) continue
    const { errors } = readRuleIndexes([{ ...rule, listIds }], indexesOf, 'permissions')
    for (const { path, message } of errors) {
      tell([n], `allows nothing, or blocks everything it selects: ${path.replace(/^permissions\.0\./, '')} ${message}.`)
    }
  }
  tell(
    rulesNaming({ permissions: [...rules] }, '$identity.name'),
    'compares $identity.name, which identities can change themselves.',
  )
  const permissions = compilePermissions(rules)
  const may = (action: Action, resourceType: ResourceType) => couldEverBeAllowed(permissions, { action, resourceType })
  const ofIdentities = { action: 'view', resourceType: 'identity' } as const
  const everything = positions((rule) => {
    return rule.mode === 'allow' && rule.action === '*' && concerns(compileRule(rule), ofIdentities)
  })
  const unnamed = [...alwaysNamed].filter((action) => !may(action, 'identity'))
  if (unnamed.length > 0) tell(everything, `does not include ${unnamed.join(' and ')}: these need their own rules.`)
  if (!may('authenticate', 'identity'))
    tell(
      positions(({ mode, action }) => mode === 'allow' && action.endsWith('-with-identity')),
      'needs an identity to act for, but no rule allows authenticating one.',
    )
  if (!may('view', 'item') && !may('view-with-identity', 'item'))
    tell(
      positions(({ mode, action }) => mode === 'allow' && action.startsWith('restore')),
      'also needs view: without it, nothing is restored.',
    )
  return found
}

/** Every permission that a call needs, also in its form for owners. */
const asked: readonly Permission[] = accessCalls.flatMap(({ needs }) =>
  needs.flatMap((need) => {
    const action = ownerForm(need)
    return action ? [need, { ...need, action }] : [need]
  }),
)

/** The actions that calls need for a type of resource; without a type, for any type. */
export function actionsFor(type: ResourceType | undefined): Action[] {
  return [...new Set(asked.filter(({ resourceType }) => !type || resourceType === type).map(({ action }) => action))]
}

/** The selectors that can match for a type of resource and these actions; without a type, for any type. */
export function selectorsFor(type: ResourceType | undefined, actions: readonly (Action | '*')[]): Selector[] {
  const about = asked.filter(({ action, resourceType }) => {
    if (type && resourceType !== type) return false
    return actions.length === 0 || actions.includes('*') || actions.includes(action)
  })
  return (Object.keys(selectors) as Selector[]).filter((name) => about.some((one) => canSelect(one, selectors[name])))
}

/** Whether a rule can match any call: one that needs its permission, for something that its selectors can select. */
export function canMatch(rule: PermissionRule): boolean {
  const { selected, kinds, ...compiled } = compileRule(rule)
  return asked.some((permission) => {
    if (!concerns({ ...compiled, selected, kinds: null }, permission)) return false
    if (kinds) return kinds.some((property) => canSelect(permission, property))
    return selected.every(({ property }) => canSelect(permission, property))
  })
}

/** Whether a later rule matches everything that an earlier one matches. */
function covers(later: PermissionRule, earlier: PermissionRule): boolean {
  if (later.resourceType && later.resourceType !== earlier.resourceType) return false
  if (!coversAction(later, earlier) || !coversKinds(later, earlier) || !coversConditions(later, earlier)) return false
  return (Object.keys(selectors) as Selector[]).every((name) => {
    const [wide, narrow] = [later[name], earlier[name]]
    return !wide || wide.includes('*') || (narrow && !narrow.includes('*') && narrow.every((id) => wide.includes(id)))
  })
}

/** A rule with conditions is known to cover another one only if the conditions are the same. */
function coversConditions(later: PermissionRule, earlier: PermissionRule): boolean {
  const conditions = ({ where, becomes, changes }: PermissionRule) => canonicalJson({ where, becomes, changes })
  return !hasConditions(later) || conditions(later) === conditions(earlier)
}

/** An allow rule with selectors for any id covers only things that have one of these properties. */
function coversKinds(later: PermissionRule, earlier: PermissionRule): boolean {
  const { kinds } = compileRule(later)
  if (kinds === null || kinds.some((property) => earlier[nameOf(property)])) return true
  const { resourceType } = earlier
  if (!resourceType || resourceType === 'event' || resourceType === 'stats') return false
  return kinds.some((property) => selectable[resourceType].includes(property))
}

const nameOf = (property: Selected) =>
  (Object.keys(selectors) as Selector[]).find((name) => selectors[name] === property) as Selector

/** An allow rule for `*` does not include actions that must always be named; a block rule does. */
function coversAction(later: PermissionRule, earlier: PermissionRule): boolean {
  if (later.action === earlier.action) return later.mode === 'block' || earlier.mode === 'allow' || later.action !== '*'
  if (later.action !== '*') return false
  return later.mode === 'block' || (earlier.action !== '*' && !alwaysNamed.has(earlier.action))
}
