import { isLongerThan } from '../text/code-points.ts'
import { counted } from '../text/counted.ts'
import { runsOf } from './words.ts'

/** The bounds of a query (contract 2.1): characters, and runs of words as they are typed. */
export const queryLimits = { minLength: 3, maxLength: 100, maxTerms: 5, maxWordsOfTerm: 20 } as const

/**
 * The words to search for, each once, in the order of the query. A run of Han, Kana or Thai is one term of several words.
 * @returns or why it is none, to follow the parameter's name
 */
export function readQuery(text: string): { words: string[] } | { error: string } {
  const { minLength, maxLength } = queryLimits
  if (isLongerThan(text, maxLength)) return { error: `must be at most ${maxLength} characters long` }
  if (!isLongerThan(text, minLength - 1)) return { error: `must be at least ${minLength} characters long` }
  const terms = runsOf(text)
  const { maxTerms, maxWordsOfTerm } = queryLimits
  if (terms.length === 0) return { error: 'must have a word of letters or digits' }
  if (terms.length > maxTerms)
    return { error: `must have at most ${counted(maxTerms, 'word')}, and has ${terms.length}` }
  if (terms.some((words) => words.length > maxWordsOfTerm)) {
    return { error: `must have at most ${maxWordsOfTerm} characters in a row that are words by themselves` }
  }
  return { words: [...new Set(terms.flat())] }
}
