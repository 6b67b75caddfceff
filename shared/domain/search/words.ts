import { caseFold } from '../text/case-fold.ts'

/**
 * The words of a text, as search compares them (contract 2.1): runs of letters, marks and digits, caseless, with marks folded. Each
 * Han, Hiragana, Katakana and Thai character is a word by itself, because these scripts have no spaces between words.
 */
export function wordsOf(text: string): string[] {
  return folded(text).match(word)?.map(beginning) ?? []
}

/** The runs of a text as somebody typed them, each with its words: one word, or those of characters that are words. */
export function runsOf(text: string): string[][] {
  return (
    folded(text)
      .match(run)
      ?.map((found) => found.match(word)?.map(beginning) ?? []) ?? []
  )
}

/** Longer words are compared by their beginning. */
export const maxWordLength = 100

/**
 * A text in the form in which equal words are equal texts. Marks are folded where a letter is read without them: `eclair` finds
 * `Éclair`. Elsewhere, as in Devanagari, a mark is a vowel or changes the sound, and belongs to its character.
 */
function folded(text: string): string {
  const caseless = caseFold(text)
  if (ascii.test(caseless)) return caseless
  const bare = caseless.replace(ignored, '').normalize('NFD').replace(markedLetter, '$1')
  return bare.normalize('NFC')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\u0000-\u007f]*$/

/**
 * What is within words and is none of their letters: soft hyphens, joiners, the stroke that stretches Arabic words, and what chooses a
 * variant of the character before.
 */
const ignored = /\u00ad|\u0640|\u200c|\u200d|\u2060|\ufeff|[\u{fe00}-\u{fe0f}]|[\u{e0100}-\u{e01ef}]/gu

const markedLetter = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{M}+/gu

const single = String.raw`(?:(?=[\p{L}\p{Nd}\p{Nl}])[\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}]\p{M}*)`
const joined = String.raw`(?:(?![\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}])[\p{L}\p{Nd}]\p{M}*)`
const word = new RegExp(`${single}|${joined}+`, 'gu')
const run = new RegExp(`${single}+|${joined}+`, 'gu')

function beginning(found: string): string {
  return found.length <= maxWordLength ? found : Array.from(found).slice(0, maxWordLength).join('')
}
