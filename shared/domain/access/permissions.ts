import {
  type AccessRequest,
  type CompiledRule,
  concerns,
  isConditional,
  matches,
  type Permissions,
  selectable,
} from './compiled-rules.ts'
import type { Action, ResourceType } from './permission-rule.ts'

/** Whether rules allow a request, and the position, as they were given, of the one that has the last word; null: none matches. */
export type Ruling = { allowed: boolean; rule: number | null }

/** The last rule that matches decides; nothing is allowed by default. Restoring needs viewing too (contract 3). */
export function decide(permissions: Permissions, request: AccessRequest): Ruling {
  const { rules } = permissions
  const at = rules.findIndex((rule) => matches(rule, request))
  const views = viewsNeeded[request.action]
  const allowed =
    rules[at]?.mode === 'allow' &&
    (views?.some((action) => decide(permissions, { ...request, action }).allowed) ?? true)
  return { allowed, rule: at < 0 ? null : rules.length - 1 - at }
}

/** Actions that need one of these others on the same resource. */
const viewsNeeded: { [action in Action]?: readonly Action[] } = {
  restore: ['view'],
  'restore-with-identity': ['view', 'view-with-identity'],
}

/**
 * Whether the request could be allowed on some resource of its type: some allow rule is not wholly blocked by later ones.
 * Contract 1.2: without such a rule the response is 403 instead of 404.
 * @param request the ids in it are those of all these resources: of the identity that acts as their owner
 */
export function couldEverBeAllowed({ rules }: Permissions, request: AccessRequest): boolean {
  const { action, resourceType } = request
  const blocks: CompiledRule[] = []
  const reachable = rules.some((rule) => {
    if (!concerns(rule, request)) return false
    const open = withoutKnown(rule, request)
    if (!open) return false
    // A block rule with conditions leaves items that do not meet them.
    if (rule.mode === 'block' && isConditional(rule)) return false
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
