import { readQuery } from '../../search/query.ts'
import { readNegation } from './negation.ts'
import { leavesOf, negated, type Question } from './question.ts'

/** A filter on the words of items; `isNot`: they have none of them. */
export type SearchFilter = { words: readonly string[]; isNot: boolean }

/** Reads a filter on words, as in a query and in `where`: the words are those of a search. */
export function readSearchFilter(source: string): SearchFilter | { error: string } {
  const { isNot, rest } = readNegation(source)
  const read = readQuery(rest)
  return 'error' in read ? read : { ...read, isNot }
}

/** The filter as a question about the items of a list. @param list.termsId of its words; null: it has none */
export function searchQuestion({ termsId }: { termsId: number | null }, { words, isNot }: SearchFilter): Question {
  return negated({ kind: 'words', termsId: termsId ?? noTerms, anyOf: words }, isNot)
}

/** No item has words under it: who answers such a question rejects the list, or has the words of its items at hand. */
const noTerms = -1

/** Whether one of the questions is about the words of items. */
export function asksForWords(questions: readonly Question[]): boolean {
  return leavesOf(questions).some(({ kind }) => kind === 'words')
}
