import test from 'ava'
import { caseFold } from '#shared/domain/text/case-fold.ts'

const groups: [claim: string, ...same: string[]][] = [
  ['ASCII', 'Straw', 'sTRAW'],
  ['sharp s and its capital', 'Straße', 'STRASSE', 'straẞe'],
  ['sigma in the middle and at the end of a word', 'ΣΊΣΥΦΟΣ', 'σίσυφος', 'σίσυφοσ'],
  ['a long s', 'ſoft', 'SOFT'],
  ['the Kelvin sign', '\u212a', 'k'],
  ['the micro sign', '\u00b5', 'μ', 'Μ'],
  ['ligatures', 'ﬀ', 'FF', 'ff'],
  ['a capital I with a dot, whole and in parts', 'İ', 'I\u0307', 'i\u0307'],
  ['accents, whole and in parts', 'É', 'e\u0301', 'é', 'E\u0301'],
  ['accents in another order', 'q\u0307\u0323', 'Q\u0323\u0307'],
  ['titlecase letters', 'ǆ', 'ǅ', 'Ǆ'],
  ['the Greek iota below', 'ᾳ', 'ΑΙ', 'αι'],
  ['Cherokee', 'Ꭰ', 'ꭰ'],
  ['letters beyond the first plane', '𐐀', '𐐨'],
]

for (const [claim, ...same] of groups) {
  test(`equal except for case and form: ${claim}`, (t) => {
    t.deepEqual([...new Set(same.map(caseFold))].length, 1)
  })
}

test('different letters stay different', (t) => {
  for (const [a, b] of [['ı', 'i'], ['ı', 'I'], ['İ', 'i'], ['é', 'e'], ['ö', 'oe'], ['ａ', 'a']] as const) {
    t.not(caseFold(a), caseFold(b))
  } // biome-ignore format: pairs
})

test('of every character, its capital, its small letter and its folded form are the same', (t) => {
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const char = String.fromCodePoint(code)
    const others = [char.toLowerCase(), char.toUpperCase(), char.normalize('NFD')].filter((form) => form !== char)
    if (others.length === 0) continue
    const folded = caseFold(char)
    const forms = char === 'ı' ? [folded] : [...others, folded]
    if (forms.some((form) => caseFold(form) !== folded)) wrong.push(code.toString(16))
  }
  t.deepEqual(wrong, [])
})

test('the result is in NFC', (t) => {
  t.is(caseFold('E\u0301'), '\u00e9')
  t.is(caseFold('ǰ').normalize('NFC'), caseFold('ǰ'))
})
