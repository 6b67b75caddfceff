import { isRawNumber } from '#shared/json/exact.ts'
import { isList, type Value } from './value.ts'

/** Bytes of a value as compact JSON in UTF-8. */
export const maxValueBytes = 1024 * 1024
/** How deep a value nests. */
export const maxValueDepth = 200

/** What of its bounds a value exceeds, as a sentence goes on; null: nothing. It ends where it is known, whatever is behind. */
export function excessOf(value: Value): string | null {
  const left = { bytes: maxValueBytes }
  if (!fits(value, 0, left)) return `nests deeper than ${maxValueDepth} levels`
  return left.bytes < 0 ? 'is longer than 1 MiB' : null
}

/** @returns false when it is too deep; a value that is too long is left unread */
function fits(value: Value, depth: number, left: { bytes: number }): boolean {
  if (left.bytes < 0) return true
  if (typeof value === 'string') left.bytes -= textBytes(value)
  else if (value === null || typeof value !== 'object') left.bytes -= String(value).length
  else if (isRawNumber(value)) left.bytes -= value.rawJSON.length
  else return depth < maxValueDepth && fitsInside(value, depth, left)
  return true
}

function fitsInside(value: object, depth: number, left: { bytes: number }): boolean {
  if (isList(value as Value)) {
    left.bytes -= 1 + Math.max(1, (value as readonly Value[]).length)
    return (value as readonly Value[]).every((entry) => fits(entry, depth + 1, left))
  }
  const members = Object.entries(value)
  left.bytes -= 1 + Math.max(1, members.length)
  return members.every(([key, member]) => {
    left.bytes -= textBytes(key) + 1
    return fits(member, depth + 1, left)
  })
}

/** Bytes of a text in quotes. */
function textBytes(text: string): number {
  let bytes = 2
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22 || unit === 0x5c) bytes += 2
    else if (unit < 0x20) bytes += shortEscapes.has(unit) ? 2 : 6
    else if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 2 : 3 // each half of a pair
  }
  return bytes
}

const shortEscapes = new Set([8, 9, 10, 12, 13])
