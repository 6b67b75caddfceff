import { isLongerThan } from '../text/code-points.ts'
import { counted } from '../text/counted.ts'
import { runsOf } from './words.ts'

/** The bounds of a query (contract 2.1): characters without the spaces around it, and runs of words as they are typed. */
export const queryLimits = { minLength: 3, minShort: 2, maxLength: 100, maxTerms: 5, maxWordsOfTerm: 20 } as const

/** Han, Kana and Hangul, in which two characters are enough for a search. */
const shortScripts = /[\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}]/u

/** Whether an item has at least one of the words, or every word. */
export const searchMatches = ['any', 'all'] as const
export type SearchMatch = (typeof searchMatches)[number]

/** The options of a query; `prefix`: its last word is the beginning of a word. */
export type SearchOptions = { prefix?: boolean; match?: SearchMatch }

/** The terms of a query: distinct words, and the beginning of a word; null: none. */
export type SearchTerms = { words: readonly string[]; beginning: string | null; match: SearchMatch }

/**
 * The words of a query as they were typed. A run of Han, Kana or Thai is one term of several words.
 * @returns the query, or an error, as a phrase after the parameter's name
 */
export function readQuery(source: string): { typed: string[] } | { error: string } {
  const text = source.trim()
  const lengthError = errorOfLength(text)
  if (lengthError !== null) return { error: lengthError }
  const terms = runsOf(text)
  const { maxTerms, maxWordsOfTerm } = queryLimits
  if (terms.length === 0) return { error: 'must have a word of letters or digits' }
  if (terms.length > maxTerms)
    return { error: `must have at most ${counted(maxTerms, 'word')}, and has ${terms.length}` }
  if (terms.some((words) => words.length > maxWordsOfTerm)) {
    return { error: `must have at most ${maxWordsOfTerm} characters in a row that count as one word each` }
  }
  return { typed: terms.flat() }
}

/** The terms for typed words. */
export function searchTerms(typed: readonly string[], { prefix = false, match = 'any' }: SearchOptions): SearchTerms {
  const beginning = prefix ? (typed.at(-1) ?? null) : null
  return { words: [...new Set(beginning === null ? typed : typed.slice(0, -1))], beginning, match }
}

/** Whether a text with these words matches. */
export function hasTerms(found: ReadonlyMap<string, unknown>, { words, beginning, match }: SearchTerms): boolean {
  const has = words.map((word) => found.has(word))
  if (beginning !== null) has.push([...found.keys()].some((word) => word.startsWith(beginning)))
  return match === 'all' ? has.every(Boolean) : has.some(Boolean)
}

function errorOfLength(text: string): string | null {
  const { minLength, minShort, maxLength } = queryLimits
  if (isLongerThan(text, maxLength)) return `must be at most ${maxLength} characters long`
  if (isLongerThan(text, minLength - 1) || (isLongerThan(text, minShort - 1) && shortScripts.test(text))) return null
  return `must be at least ${minLength} characters long, or ${minShort} with Han, kana or Hangul`
}
