import { isLongerThan } from '../text/code-points.ts'
import { counted } from '../text/counted.ts'
import { runsOf } from './words.ts'

/** The bounds of a query (contract 2.1): characters, of which spaces around it are none, and runs of words as they are typed. */
export const queryLimits = { minLength: 3, minShort: 2, maxLength: 100, maxTerms: 5, maxWordsOfTerm: 20 } as const

/** Han, Kana and Hangul, in which two characters are a word as people search for it. */
const shortScripts = /[\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}]/u

/**
 * The words to search for, each once, in the order of the query. A run of Han, Kana or Thai is one term of several words.
 * @returns or why it is none, to follow the parameter's name
 */
export function readQuery(source: string): { words: string[] } | { error: string } {
  const text = source.trim()
  const lengthError = errorOfLength(text)
  if (lengthError !== null) return { error: lengthError }
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

function errorOfLength(text: string): string | null {
  const { minLength, minShort, maxLength } = queryLimits
  if (isLongerThan(text, maxLength)) return `must be at most ${maxLength} characters long`
  if (isLongerThan(text, minLength - 1) || (isLongerThan(text, minShort - 1) && shortScripts.test(text))) return null
  return `must be at least ${minLength} characters long, or ${minShort} with Han, kana or Hangul`
}
