import { lengths } from '../limits.ts'
import { caseFold } from '../text/case-fold.ts'

/** What items are filtered by: the beginning of a string in its caseless form. A query is made into one the same way. */
export function filterKey(text: string): string {
  return firstCharacters(storable(caseFold(beginning(text))), lengths.filterKey)
}

/**
 * What items are ordered by. The databases compare it by its bytes in UTF-8, which is the order of code points; order in
 * JavaScript, by UTF-16 units, is another one.
 */
export function orderKey(text: string): string {
  return firstCharacters(filterKey(text), lengths.orderKey)
}

/**
 * Enough of a long text for its key: four code points at most become one in NFC, so that far into the key it does not
 * matter where the text is cut, and a value of a megabyte is not folded for its first thousand characters.
 */
function beginning(text: string): string {
  return firstCharacters(text, 8 * lengths.filterKey)
}

/** At most `count` code points; surrogate pairs stay whole. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text
  let end = 0
  for (let n = 0; n < count && end < text.length; n++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/** Postgres stores no U+0000. It becomes two U+0001, and U+0001 itself another pair: order and difference stay. */
function storable(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001')
}
