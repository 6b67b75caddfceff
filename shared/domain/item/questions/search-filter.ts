import { readQuery, type SearchOptions, searchMatches, searchTerms } from '../../search/query.ts'
import { readNegation } from './negation.ts'
import { leavesOf, negated, type Question } from './question.ts'

/** A filter on the words of items, as they were typed. `isNot`: items with none of them, or, with `match: all`, not all of them. */
export type SearchFilter = { typed: readonly string[]; isNot: boolean }

/** Reads a filter on words, as in a query and in `where`: the words are those of a search. */
export function readSearchFilter(source: string): SearchFilter | { error: string } {
  const { isNot, rest } = readNegation(source)
  const read = readQuery(rest)
  return 'error' in read ? read : { ...read, isNot }
}

/** The filter as a question about the items of a list. @param list.termsId the id of its words; null: none */
export function searchQuestion(
  { termsId }: { termsId: number | null },
  { typed, isNot, ...options }: SearchFilter & SearchOptions,
): Question {
  return negated({ kind: 'words', termsId: termsId ?? noTerms, terms: searchTerms(typed, options) }, isNot)
}

/** An id under which no item has words. Callers reject such a list before, or have the words of items themselves. */
const noTerms = -1

/** Whether one of the questions has a filter on words. */
export function asksForWords(questions: readonly Question[]): boolean {
  return leavesOf(questions).some(({ kind }) => kind === 'words')
}

/** Reads an option of a search, which is next to `search` in `where`. */
export function readSearchOption(name: SearchOptionName, value: unknown): SearchOptions | { error: string } {
  if (name === 'prefix') {
    if (value === true || value === 'true') return { prefix: true }
    return value === false || value === 'false' ? { prefix: false } : { error: 'must be true or false' }
  }
  const match = searchMatches.find((one) => one === value)
  return match ? { match } : { error: `must be ${searchMatches.join(' or ')}` }
}

export type SearchOptionName = keyof SearchOptions

/** The error of an option without a search. */
export const withoutSearch = 'requires "search"'
