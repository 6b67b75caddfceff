import { foldedText } from './folding.ts'

/**
 * The words of a text, as search compares them (contract 2.1): runs of letters, marks and digits, folded. Each
 * Han, Hiragana, Katakana and Thai character is a word on its own, because these scripts have no spaces between words.
 */
export function wordsOf(text: string): string[] {
  return foldedText(text).match(word)?.map(beginning) ?? []
}

/** The runs of a text as they were typed, each with its words: one word, or those of characters that are words. */
export function runsOf(text: string): string[][] {
  return (
    foldedText(text)
      .match(run)
      ?.map((found) => found.match(word)?.map(beginning) ?? []) ?? []
  )
}

/** Longer words are compared by their beginning. */
export const maxWordLength = 100

const single = String.raw`(?:(?=[\p{L}\p{Nd}\p{Nl}])[\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}]\p{M}*)`
const joined = String.raw`(?:(?![\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}])[\p{L}\p{Nd}]\p{M}*)`
const word = new RegExp(`${single}|${joined}+`, 'gu')
const run = new RegExp(`${single}+|${joined}+`, 'gu')

function beginning(found: string): string {
  return found.length <= maxWordLength ? found : Array.from(found).slice(0, maxWordLength).join('')
}
