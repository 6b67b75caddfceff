import type { FieldError } from '../../errors.ts'
import type { PermissionRule } from '../access/permission-rule.ts'
import { hasConditions, type RuleIndex } from '../access/rule-conditions.ts'
import { maxConditionCharacters, maxConditionLists } from '../limits.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { indexKey, indexNamed } from '../list/index-names.ts'
import { servesRules } from '../list/serves-rules.ts'
import { readRuleQuestion } from './rule-question.ts'

/** The ids of the lists to whose items rules with conditions apply. */
export function listsOfConditions(rules: readonly PermissionRule[]): string[] {
  return [...new Set(rules.flatMap((rule) => (hasConditions(rule) ? (rule.listIds ?? []) : [])))]
}

/**
 * The errors if the conditions of a token's rules are too large.
 * @param path of the rules, dotted
 */
export function conditionSizeErrors(rules: readonly PermissionRule[], path: string): FieldError[] {
  const characters = JSON.stringify(rules.map(({ where, becomes }) => [where, becomes])).length
  const lists = listsOfConditions(rules).length
  return [
    ...(characters > maxConditionCharacters
      ? [{ path, message: `must have at most ${maxConditionCharacters} characters of conditions, as JSON` }]
      : []),
    ...(lists > maxConditionLists
      ? [{ path, message: `must name at most ${maxConditionLists} lists in rules with conditions, and names ${lists}` }]
      : []),
  ]
}

/**
 * The indexes that the conditions of rules name, in their current state, and the errors of the conditions.
 * @param rules with the ids of lists
 * @param indexesOf the indexes of a list of the account; undefined: there is no such list
 * @param path of the rules, dotted
 */
export function readRuleIndexes(
  rules: readonly PermissionRule[],
  indexesOf: (listId: string) => readonly ListIndex[] | undefined,
  path: string,
): { indexes: RuleIndex[]; errors: FieldError[] } {
  const found = new Map<string, RuleIndex>()
  const errors = rules.flatMap((rule, n) =>
    (hasConditions(rule) ? (rule.listIds ?? []) : []).flatMap((listId, at): FieldError[] => {
      const indexes = indexesOf(listId)
      if (!indexes) return [{ path: `${path}.${n}.listIds.${at}`, message: 'is not the id of a list' }]
      const use = (index: RuleIndex) => found.set(`${listId} ${index.name}`, index)
      return errorsIn(rule, `${path}.${n}`, { listId, indexes, use })
    }),
  )
  return { indexes: [...found.values()], errors: distinct(errors) }
}

type Place = { listId: string; indexes: readonly ListIndex[]; use(index: RuleIndex): void }

function errorsIn({ where, becomes }: PermissionRule, path: string, { listId, indexes, use }: Place): FieldError[] {
  const indexOf = (name: string) => {
    const index = indexNamed(indexes, name)
    if (!index) return { error: `is not an index of the list ${listId}` }
    if (!servesRules(index)) return { error: `names an index of the list ${listId} ${unusable(index)}` }
    const { id, valueType, pointer } = index
    use({ listId, name: indexKey(name), id, valueType, pointer })
    return index
  }
  return Object.entries({ where, becomes }).flatMap(([name, conditions]) => {
    const read = conditions === undefined ? null : readRuleQuestion(conditions, `${path}.${name}`, indexOf)
    return read && 'errors' in read ? read.errors : []
  })
}

function unusable({ guard, activated }: ListIndex): string {
  if (guard) return 'that guards its values'
  return activated ? 'that does not have "filtering" turned on' : 'that is not activated'
}

/** Removes duplicates: an error that does not depend on the list is reported once. */
function distinct(errors: readonly FieldError[]): FieldError[] {
  return [...new Map(errors.map((error) => [`${error.path} ${error.message}`, error])).values()]
}
