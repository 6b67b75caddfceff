/** The range of texts that begin with a text, in the order of code points: from `min` up to, but not including, `end`; null: no end. */
export function startingWith(min: string): { min: string; end: string | null } {
  const points = Array.from(min, (character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === lastPoint) points.pop()
  const last = points.pop()
  if (last === undefined) return { min, end: null }
  const next = last + 1 === firstSurrogate ? afterSurrogates : last + 1
  return { min, end: String.fromCodePoint(...points, next) }
}

const lastPoint = 0x10ffff
const firstSurrogate = 0xd800
const afterSurrogates = 0xe000
