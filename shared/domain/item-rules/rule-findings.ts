import { compileRule, isConditional } from '../access/compiled-rules.ts'
import { hasConditions } from '../access/rule-conditions.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { boundTo } from './bound-rules.ts'
import type { CallerValue } from './caller.ts'
import type { TokenRules } from './stored-rules.ts'

/**
 * The positions of rules that are unknown as a whole, for one of their lists at least: an index is not there, or not what it was when they
 * were saved.
 * @param indexesOf those that a list has now; undefined: it is gone, and nothing is checked on it
 */
export function unknownRules(
  { permissions, ruleIndexes }: TokenRules,
  indexesOf: (listId: string) => readonly ListIndex[] | undefined,
): number[] {
  return permissions.flatMap((rule, position) => {
    const compiled = compileRule(rule, ruleIndexes)
    if (!isConditional(compiled)) return []
    const isUnknown = (rule.listIds ?? []).some((id) => {
      const indexes = indexesOf(id)
      return indexes !== undefined && boundTo(compiled, { id, indexes }) === null
    })
    return isUnknown ? [position] : []
  })
}

/** The positions of rules whose conditions name a value of the caller. */
export function rulesNaming({ permissions }: Pick<TokenRules, 'permissions'>, value: CallerValue): number[] {
  return permissions.flatMap((rule, position) => {
    if (!hasConditions(rule)) return []
    // It is all that follows a prefix; after another dollar it is a text.
    return JSON.stringify([rule.where, rule.becomes]).includes(`:${value}"`) ? [position] : []
  })
}
