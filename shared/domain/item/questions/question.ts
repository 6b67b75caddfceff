import type { SearchTerms } from '../../search/query.ts'
import type { TextFilter } from '../../text/filter.ts'
import type { FilteredField } from '../filters.ts'
import type { KeySet } from './key-filter.ts'
import type { IntegerSet } from './number-filter.ts'

/** Conditions, and how they are combined (contract 1.4). */
export type Combined<L> =
  | L
  | { kind: 'and'; of: readonly Combined<L>[] }
  | { kind: 'or'; of: readonly Combined<L>[] }
  | { kind: 'not'; of: Combined<L> }

/** A question about items. */
export type Question = Combined<Leaf>

/** A condition on the value of an index, or on a field of the item. */
export type Leaf =
  | ({ kind: 'value' } & ValueFilter)
  | { kind: 'tagged' /** Null: with any tag. */; anyOf: readonly string[] | null }
  | { kind: 'owner' /** Null: any identity. */; ids: readonly string[] | null }
  | { kind: 'id' /** Of the item itself. */; ids: readonly string[] }
  | { kind: 'flag'; field: FilteredField<'flag'>; value: boolean }
  | { kind: 'number'; field: FilteredField<'date' | 'number'>; set: IntegerSet }
  | { kind: 'version'; filter: TextFilter }
  | { kind: 'words' /** Of the list's search. */; termsId: number; terms: SearchTerms }

/** A filter on the entries of an index. `keys` null: only the texts count, for values of any type. `not` negates the rest of the filter. */
export type ValueFilter = {
  indexId: string
  keys: KeySet | null
  texts: readonly TextFilter[]
  not?: true
  /** The index has the elements of arrays: one of an item's entries must pass, or, with `not`, none. */
  arrays?: true
}

/** All conditions of questions. */
export function leavesOf(questions: readonly Question[]): Leaf[] {
  return questions.flatMap((question) => {
    if (question.kind === 'not') return leavesOf([question.of])
    return question.kind === 'and' || question.kind === 'or' ? leavesOf(question.of) : [question]
  })
}

/** Whether a page of a flow includes drafts (items that are not activated): only if one of its conditions is on `activated`. */
export function asksForDrafts(questions: readonly Question[]): boolean {
  return leavesOf(questions).some((leaf) => leaf.kind === 'flag' && leaf.field === 'activated')
}

/** The same question with each condition replaced. */
export function mapLeaves(question: Question, map: (leaf: Leaf) => Leaf): Question {
  if (question.kind === 'not') return { ...question, of: mapLeaves(question.of, map) }
  if (question.kind === 'and' || question.kind === 'or')
    return { ...question, of: question.of.map((one) => mapLeaves(one, map)) }
  return map(question)
}

export function negated(question: Question, isNot = true): Question {
  return isNot ? { kind: 'not', of: question } : question
}
