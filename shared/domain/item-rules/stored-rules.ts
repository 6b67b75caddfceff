import { canonicalJson } from '#shared/json/canonical.ts'
import type { PermissionRule } from '../access/permission-rule.ts'
import { hasConditions, type RuleIndex } from '../access/rule-conditions.ts'

/** The rules of a token, and the indexes that their conditions name. */
export type TokenRules = { permissions: PermissionRule[]; ruleIndexes: readonly RuleIndex[] }

/** Rules as they are stored; `conditional` null: no rule has conditions. */
type Stored = { plain: readonly PermissionRule[]; conditional: Conditional | null }

/** `plain` detects overwritten rules: processes of 0.2 write only the plain rules, which then differ from it. */
type Conditional = { plain: readonly PermissionRule[]; rules: readonly PermissionRule[]; indexes: readonly RuleIndex[] }

/**
 * Rules for processes of 0.2, which ignore conditions. Allow rules with conditions are omitted, and block rules lose their conditions, so
 * these processes never allow more than the rules do.
 */
function withoutConditions(rules: readonly PermissionRule[]): PermissionRule[] {
  return rules.flatMap(({ where: _, becomes: __, changes: ___, ...rule }, n) => {
    const isLeftOut = rule.mode === 'allow' && hasConditions(rules[n] ?? {})
    return isLeftOut ? [] : [rule]
  })
}

export function toStored({ permissions, ruleIndexes }: TokenRules): Stored {
  if (!permissions.some(hasConditions)) return { plain: permissions, conditional: null }
  const plain = withoutConditions(permissions)
  return { plain, conditional: { plain, rules: permissions, indexes: ruleIndexes } }
}

/** @returns the plain rules if a process of 0.2 has overwritten them */
export function fromStored({ plain, conditional }: Stored): TokenRules {
  const isCurrent = conditional !== null && !isOverwritten({ plain, conditional })
  return isCurrent
    ? { permissions: [...conditional.rules], ruleIndexes: conditional.indexes }
    : { permissions: [...plain], ruleIndexes: [] }
}

/** Whether a process of 0.2 has overwritten the rules, so that those with conditions are void. */
export function isOverwritten({ plain, conditional }: Stored): boolean {
  return conditional !== null && canonicalJson(conditional.plain) !== canonicalJson(plain)
}
