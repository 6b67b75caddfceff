import { caseFold } from '../text/case-fold.ts'
import { typedLetters } from './typed-letters.ts'

/**
 * A text in the form in which equal words are equal texts: caseless, and spelled with the letters that people type. Stored words and
 * queries are folded by this function alone, so a change of it needs a migration that builds the words of all lists again.
 *
 * - Forms of a letter or digit (full and half width, ligatures, superscripts and subscripts) are that letter or digit.
 * - Marks are removed from letters that can be read without them: `eclair` finds `Éclair`. Elsewhere, as in Devanagari, a mark is a vowel
 * or changes the sound, and belongs to its character.
 * - Letters that Unicode does not decompose, such as `ł` and `œ`, become what is typed for them on other keyboards.
 * - Digits of any script are those of ASCII.
 */
export function foldedText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return caseFold(text.replace(formed, plainForm))
    .replace(ignored, '')
    .replace(apostrophes, "'")
    .normalize('NFD')
    .replace(markedLetter, '$1')
    .replace(otherLetters, typed)
    .replace(otherDigits, asciiDigit)
    .normalize('NFC')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\u0000-\u007f]*$/

/** Letters and digits, including superscripts and subscripts. Signs keep their form: the letters of `™` are not part of a word. */
const formed = /[\p{L}\p{Nd}\p{Nl}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+/gu
const plainForm = (letters: string) => letters.normalize('NFKC')

/** Characters within words that are ignored: soft hyphens, joiners, the Arabic tatweel, the enclosing keycap, and variation selectors. */
const ignored = /\u00ad|\u0640|\u200c|\u200d|\u2060|\u20e3|\ufeff|[\u{fe00}-\u{fe0f}]|[\u{e0100}-\u{e01ef}]/gu

/** Characters that Unicode classifies as letters but people type as an apostrophe, which separates words. */
const apostrophes = /[\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\ua78b\ua78c]/g

const markedLetter = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{M}+/gu

const typedFor = new Map(typedLetters.flatMap(([typed, letters]) => Array.from(letters, (letter) => [letter, typed])))
const otherLetters = new RegExp(`[${[...typedFor.keys()].join('')}]`, 'gu')
const typed = (letter: string) => typedFor.get(letter) ?? letter

const otherDigits = /(?![0-9])\p{Nd}/gu
const digit = /^\p{Nd}$/u

/** The digits of a script are consecutive code points from its zero, and no two of the remaining ranges are adjacent. */
function asciiDigit(character: string): string {
  const point = character.codePointAt(0) ?? 0
  let zero = point
  while (digit.test(String.fromCodePoint(zero - 1))) zero--
  return String(point - zero)
}
