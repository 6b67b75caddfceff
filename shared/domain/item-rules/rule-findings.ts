import { compileRule, isConditional } from '../access/compiled-rules.ts'
import { hasConditions } from '../access/rule-conditions.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { boundTo } from './bound-rules.ts'
import type { CallerValue } from './caller.ts'
import type { TokenRules } from './stored-rules.ts'

/**
 * The positions of rules that are unknown on at least one of their lists, because an index is missing or has changed since they were saved.
 * @param indexesOf the current indexes of a list; undefined: the list was deleted and is not checked
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

/** The positions of rules whose conditions use a value of the caller. */
export function rulesNaming({ permissions }: Pick<TokenRules, 'permissions'>, value: CallerValue): number[] {
  return permissions.flatMap((rule, position) => {
    if (!hasConditions(rule)) return []
    // A caller value is everything after the prefix; `$$` begins a text.
    return JSON.stringify([rule.where, rule.becomes]).includes(`:${value}"`) ? [position] : []
  })
}
