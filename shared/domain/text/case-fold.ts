/**
 * Text as strings are compared by: canonical caseless matching of Unicode (normalization, full case folding, NFC). It is
 * done here and never by a collation, so that every database orders and finds the same. Unicode keeps both for assigned
 * characters, so stored keys stay right when the runtime learns new ones.
 *
 * Lower case alone is not case folding: it leaves ß and SS, ς and σ, ſ and s apart.
 */
export function caseFold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  // Upper case maps ı to I and would make it an i; folding leaves it alone.
  return text.normalize('NFD').split(dotlessI).map(fold).join(dotlessI).normalize('NFC')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\u0000-\u007f]*$/
const dotlessI = 'ı'

/**
 * For every character but ı this is what CaseFolding.txt says (C and F), except that Cherokee folds to small letters
 * instead of capitals. The first step is for ẞ, whose upper case is itself; a σ at the end of a word comes out as ς.
 */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
