import { type ConditionalRule, compileRule } from '../access/compiled-rules.ts'
import type { Grant } from '../access/permissions.ts'
import type { RuleIndex } from '../access/rule-conditions.ts'
import { holdsFor, type ItemState } from './bound-rules.ts'

type Where = Readonly<Record<string, unknown>>

/** One condition that is not true, as written. */
export type UnmetCondition = { condition: Where; is: 'false' | 'unknown' }

/**
 * The conditions because of which `where` is not true for an item and a caller, in the order in which they are written; for `or`, all
 * branches. Checks the same as the gateway.
 * @param indexes those that conditions name; a condition on a missing index is unknown
 */
export function unmetConditions(
  caller: Grant,
  state: ItemState,
  { where, indexes }: { where: Where; indexes: readonly RuleIndex[] },
): UnmetCondition[] {
  const truthOf = (condition: Where) => {
    const holds = holdsFor(caller, state)
    if (holds(ruleOf('allow', condition, { state, indexes })) === true) return 'true'
    return holds(ruleOf('block', condition, { state, indexes })) === false ? 'false' : 'unknown'
  }
  const unmetIn = (conditions: Where): UnmetCondition[] =>
    Object.entries(conditions).flatMap(([name, value]) => {
      const condition = { [name]: value }
      const is = truthOf(condition)
      if (is === 'true') return []
      if ((name === 'and' || name === 'or') && Array.isArray(value)) return value.flatMap(unmetIn)
      if (Array.isArray(value) && value.length > 1) return value.flatMap((one) => unmetIn({ [name]: one }))
      return [{ condition, is }]
    })
  return unmetIn(where)
}

function ruleOf(
  mode: 'allow' | 'block',
  where: Where,
  { state, indexes }: { state: ItemState; indexes: readonly RuleIndex[] },
): ConditionalRule {
  const rule = { mode, action: 'view', resourceType: 'item', listIds: [state.list.id], where: { ...where } } as const
  return compileRule({ ...rule, listIds: [...rule.listIds] }, indexes) as ConditionalRule
}
