import type { Leaf, Question } from '#shared/domain/item/questions/question.ts'
import { joinSql, raw, sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { textFilterPredicate } from '../../sql/text-filter.ts'
import { type Condition, existsIn, lookedThrough } from './condition.ts'
import { withValue } from './index-values.ts'
import { withNumber } from './numbers.ts'
import { ownedBy } from './owner.ts'
import { taggedWith } from './tags.ts'
import { withWords } from './words.ts'

/** The conditions of a question. Items have to meet all of them; they are separate so that any one may drive. */
export function conditionsOfQuestion(listId: string, question: Question): Condition[] {
  if (question.kind === 'and') return question.of.flatMap((one) => conditionsOfQuestion(listId, one))
  if (question.kind === 'or') return eitherOf(listId, branchesOf(question.of))
  if (question.kind === 'not') return contraryOf(listId, question.of)
  return conditionsOfLeaf(listId, question)
}

function conditionOf(listId: string, question: Question): Condition {
  return allOf(conditionsOfQuestion(listId, question))
}

function eitherOf(listId: string, questions: readonly Question[]): Condition[] {
  const [only, ...others] = questions
  if (only && others.length === 0) return conditionsOfQuestion(listId, only)
  return [anyOf(questions.map((one) => conditionOf(listId, one)))]
}

function contraryOf(listId: string, question: Question): Condition[] {
  if (question.kind === 'not') return conditionsOfQuestion(listId, question.of)
  // "Without a value" is the opposite of "any value", and is a range of the index.
  if (question.kind === 'value' && !question.not) return withValue({ ...question, not: true })
  const condition = conditionOf(listId, question)
  const { predicate } = condition
  return [{ ...notFound, ...looking([condition]), predicate: (id) => sql`not (${predicate(id)})` }]
}

/** Splits questions about several tags into one for each tag, whose items are in order of creation. */
function branchesOf(questions: readonly Question[]): Question[] {
  return questions.flatMap((question): Question | Question[] => {
    if (question.kind === 'or') return branchesOf(question.of)
    if (question.kind !== 'tagged' || !question.anyOf) return question
    return question.anyOf.map((tag) => ({ kind: 'tagged', anyOf: [tag] }))
  })
}

function conditionsOfLeaf(listId: string, leaf: Leaf): Condition[] {
  switch (leaf.kind) {
    case 'value':
      return withValue(leaf)
    case 'tagged':
      return [leaf.anyOf ? taggedWith(listId, leaf.anyOf) : withAnyTag]
    case 'owner':
      return [leaf.ids ? ownedBy(listId, leaf.ids) : withOwner]
    case 'id':
      return [withId(listId, leaf.ids)]
    case 'number':
      return [withNumber(listId, leaf)]
    case 'flag':
      return [ofItem((row) => sql`${raw(`${row}.${leaf.field}`)} = ${Number(leaf.value)}`)]
    case 'version':
      return [ofItem((row) => textFilterPredicate(`${row}.version`, leaf.filter))]
    case 'words':
      return withWords(leaf)
  }
}

const notFound = { candidates: null, indexRanges: null } as const

function ofItem(passes: (row: string) => ReturnType<typeof sql>): Condition {
  return { ...notFound, predicate: (id) => existsIn('items q', 'q.id', id, passes('q')) }
}

/** Items with these ids, which are few; items of other lists are left out. */
function withId(listId: string, ids: readonly string[]): Condition {
  return {
    predicate: (id) => inList(id, ids),
    candidates: sql`select n.id, n.created_at as k from items n where n.list_id = ${listId} and ${inList('n.id', ids)}`,
    indexRanges: null,
  }
}

const withAnyTag: Condition = {
  ...notFound,
  predicate: (id) => existsIn('item_tags t', 't.item_id', id, raw('t.tag is not null')),
}

/** Items with an owner, as items show it: a deleted identity, or one of another account, is not an owner. */
const withOwner = ofItem(
  () => sql`(select count(*) from identities w where w.id = q.identity_id and w.account_id = q.account_id) > 0`,
)

/** The maximum number of ranges that are merged. */
const maxBranches = 8

/** Items that meet at least one of the conditions. */
function anyOf(conditions: readonly Condition[]): Condition {
  const branches = conditions.flatMap((condition) => condition.anyOf ?? [condition])
  return {
    ...notFound,
    ...looking(conditions),
    predicate: (id) => joinPredicates(conditions, id, 'or'),
    ...(branches.length <= maxBranches && branches.every(isFound) && { anyOf: branches }),
  }
}

/** Items that meet all of the conditions. The candidates of one condition contain them and others. */
function allOf(conditions: readonly Condition[]): Condition {
  const [only, ...others] = conditions
  if (only && others.length === 0) return only
  const looks = looking(conditions)
  const predicate: Condition['predicate'] = (id) => joinPredicates(conditions, id, 'and')
  const found = conditions.filter(isFound)
  const driving = found.find(({ byCreation }) => byCreation) ?? found[0]
  if (driving) return { ...driving, ...looks, predicate, isBroader: true }
  const branches = conditions.find((condition) => condition.anyOf)?.anyOf
  if (!branches) return { ...notFound, ...looks, predicate }
  const narrowed = branches.map(
    (branch): Condition => ({
      ...branch,
      ...looking([branch, ...conditions]),
      predicate: (id) => sql`(${branch.predicate(id)} and ${predicate(id)})`,
      isBroader: true,
    }),
  )
  return { ...notFound, ...looks, predicate, anyOf: narrowed }
}

function looking(conditions: readonly Condition[]): Pick<Condition, 'looksThrough'> {
  const looksThrough = lookedThrough(conditions)
  return looksThrough.length > 0 ? { looksThrough } : {}
}

function isFound({ scans, candidates, indexRanges }: Condition): boolean {
  return (candidates ?? indexRanges) !== null && !scans
}

function joinPredicates(conditions: readonly Condition[], id: string, word: 'and' | 'or') {
  return sql`(${joinSql(
    conditions.map(({ predicate }) => predicate(id)),
    ` ${word} `,
  )})`
}
