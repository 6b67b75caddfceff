/** Below 0 when `left` comes first by code points; JavaScript's own comparison is of UTF-16 units. */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (one !== other) return orderOf(one) - orderOf(other)
  }
  return left.length - right.length
}

/** Halves of surrogate pairs, which are code points above 0xffff, come after all other units. */
const orderOf = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
