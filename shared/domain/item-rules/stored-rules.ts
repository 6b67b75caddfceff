import { canonicalJson } from '#shared/json/canonical.ts'
import type { PermissionRule } from '../access/permission-rule.ts'
import { hasConditions, type RuleIndex } from '../access/rule-conditions.ts'

/** The rules of a token, and the indexes that their conditions name. */
export type TokenRules = { permissions: PermissionRule[]; ruleIndexes: readonly RuleIndex[] }

/** Both as they are stored; `conditional` null: no rule has conditions. */
type Stored = { plain: readonly PermissionRule[]; conditional: Conditional | null }

/** `plain` is the mark: processes of 0.2 write only the plain rules, which then differ. */
type Conditional = { plain: readonly PermissionRule[]; rules: readonly PermissionRule[]; indexes: readonly RuleIndex[] }

/**
 * Rules for processes of 0.2, which do not know conditions and ignore them: an allow rule with conditions is left out, a block rule has
 * none. So they allow less than the rules say, never more.
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

/** @returns the plain rules where a process of 0.2 has written them since */
export function fromStored({ plain, conditional }: Stored): TokenRules {
  const isCurrent = conditional !== null && !isOverwritten({ plain, conditional })
  return isCurrent
    ? { permissions: [...conditional.rules], ruleIndexes: conditional.indexes }
    : { permissions: [...plain], ruleIndexes: [] }
}

/** Whether a process of 0.2 has written other rules, so that those with conditions no longer hold. */
export function isOverwritten({ plain, conditional }: Stored): boolean {
  return conditional !== null && canonicalJson(conditional.plain) !== canonicalJson(plain)
}
