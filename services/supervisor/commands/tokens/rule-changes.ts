import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { canonicalJson } from '#shared/json/canonical.ts'

/** A rule, and its position in its list. */
type PlacedRule = { position: number; rule: PermissionRule }

/** The difference between two lists of rules: removed rules, new rules, and whether the order of the rest changed. */
export type RuleChanges = { removed: PlacedRule[]; added: PlacedRule[]; isReordered: boolean }

export function ruleChanges(before: readonly PermissionRule[], after: readonly PermissionRule[]): RuleChanges {
  const removed = without(before, after)
  const added = without(after, before)
  const rest = (rules: readonly PermissionRule[], gone: readonly PlacedRule[]) => {
    const positions = new Set(gone.map(({ position }) => position))
    return canonicalJson(rules.filter((_, position) => !positions.has(position)))
  }
  return { removed, added, isReordered: rest(before, removed) !== rest(after, added) }
}

/** The rules of the first list that the second does not have, or has less often. */
function without(rules: readonly PermissionRule[], others: readonly PermissionRule[]): PlacedRule[] {
  const left = Map.groupBy(
    others.map((rule) => canonicalJson(rule)),
    (key) => key,
  )
  return rules.flatMap((rule, position) =>
    left.get(canonicalJson(rule))?.pop() === undefined ? [{ position, rule }] : [],
  )
}

const maxShown = 20

/**
 * The changes as text for a terminal: a line for each removed or new rule, the first twenty of each.
 * @returns lines; empty when nothing changed
 */
export function renderRuleChanges({ removed, added, isReordered }: RuleChanges): string[] {
  return [
    ...shown('-', removed),
    ...shown('+', added),
    ...(isReordered ? ['The order of the other rules changed.'] : []),
  ]
}

function shown(sign: string, rules: readonly PlacedRule[]): string[] {
  const lines = rules
    .slice(0, maxShown)
    .map(({ position, rule }) => `${sign} rule ${position + 1}: ${JSON.stringify(rule)}`)
  const more = rules.length - maxShown
  return more > 0 ? [...lines, `${sign} and ${more} more`] : lines
}
