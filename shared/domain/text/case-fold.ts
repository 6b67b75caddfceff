/**
 * Case-folds a text for comparison: Unicode's canonical caseless matching (normalization, full case folding, NFC). Done here and
 * never by a collation, so that every database orders and finds the same. Unicode never changes normalization or case folding of
 * assigned characters, so stored keys stay valid when the runtime supports new ones.
 *
 * Lower case alone is not case folding: with it, ß and SS, ς and σ, ſ and s remain different.
 */
export function caseFold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  // Upper case maps ı to I and would turn it into an i; folding leaves it alone.
  return text.normalize('NFD').split(dotlessI).map(fold).join(dotlessI).normalize('NFC')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const ascii = /^[\u0000-\u007f]*$/
const dotlessI = 'ı'

/**
 * For every character but ı this equals CaseFolding.txt (C and F), except that Cherokee folds to small letters instead of
 * capitals. The first step is for ẞ, whose upper case is itself; a σ at the end of a word becomes ς.
 */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}
