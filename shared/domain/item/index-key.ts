import { lengths } from '../limits.ts'
import { caseFold } from '../text/case-fold.ts'
import { firstCharacters } from '../text/first-characters.ts'

/** The key that items are filtered by: the beginning of the case-folded string. A query's text gets its key the same way. */
export function filterKey(text: string): string {
  return firstCharacters(storable(caseFold(beginning(text))), lengths.filterKey)
}

/**
 * The key that items are ordered by. The databases compare its UTF-8 bytes, which is the order of code points; JavaScript
 * compares UTF-16 units, which is a different order.
 */
export function orderKey(text: string): string {
  return firstCharacters(filterKey(text), lengths.orderKey)
}

/**
 * The order key of a number: 16 hexadecimal digits that sort in the order of the numbers. The bits of a double already sort like
 * this, except for the sign: the sign bit is flipped, and for a negative number all other bits too.
 *
 * Numbers beyond a double's range were parsed to ±Infinity: they get the keys of the largest doubles. -0 is 0.
 */
export function numberKey(value: number): string {
  double.setFloat64(0, Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) + 0)
  const [high, low] = [double.getUint32(0), double.getUint32(4)]
  return high < signBit ? hex(high + signBit) + hex(low) : hex(allBits - high) + hex(allBits - low)
}

const double = new DataView(new ArrayBuffer(8))
const signBit = 0x8000_0000
const allBits = 0xffff_ffff

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}

/**
 * Enough of a long text for its key, so that not all of a megabyte is folded for the first thousand characters. At most four
 * code points become one in NFC, so the cut does not affect the key.
 */
function beginning(text: string): string {
  return firstCharacters(text, 8 * lengths.filterKey)
}

/** Postgres cannot store U+0000. It becomes two U+0001, and U+0001 another pair: order and distinctness are kept. */
function storable(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001')
}
