/** Characters are Unicode code points. No function here builds a list of them, because that takes thirty times as long for a long text. */

export function countCharacters(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length; at++) {
    if (!isPair(text, at)) continue
    pairs++
    at++
  }
  return text.length - pairs
}

/** Like `slice` of a list: from one character up to, but not including, another. Negative positions count from the end. */
export function sliceCharacters(text: string, from: number, to?: number): string {
  const count = countCharacters(text)
  if (count === text.length) return text.slice(from, to)
  const placeOf = (character: number) => Math.max(0, character < 0 ? count + character : character)
  const first = placeOf(from)
  const start = unitAfter(text, 0, first)
  return text.slice(start, unitAfter(text, start, placeOf(to ?? count) - first))
}

/** The offset, in UTF-16 units, after a number of characters. */
function unitAfter(text: string, start: number, characters: number): number {
  let at = start
  for (let n = 0; n < characters && at < text.length; n++) at += isPair(text, at) ? 2 : 1
  return at
}

/** Whether the UTF-16 unit at an offset begins a surrogate pair. */
export function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
