import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { canonicalJson } from '#shared/json/canonical.ts'

/** A rule, and its position among those that it is of. */
type PlacedRule = { position: number; rule: PermissionRule }

/** What other rules change: those that are gone, those that are new, and whether the rest is in another order. */
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

/** The rules of the first that the second do not have, or not as often. */
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
 * What has changed, for a terminal: a line for each rule that is gone or new, the first twenty of each.
 * @returns lines, none where nothing has changed
 */
export function renderRuleChanges({ removed, added, isReordered }: RuleChanges): string[] {
  return [
    ...shown('-', removed),
    ...shown('+', added),
    ...(isReordered ? ['The other rules are in another order.'] : []),
  ]
}

function shown(sign: string, rules: readonly PlacedRule[]): string[] {
  const lines = rules
    .slice(0, maxShown)
    .map(({ position, rule }) => `${sign} rule ${position + 1}: ${JSON.stringify(rule)}`)
  const more = rules.length - maxShown
  return more > 0 ? [...lines, `${sign} and ${more} more`] : lines
}
