/** Characters are Unicode code points. Nothing here builds a list of them: a long text would take thirty times as long. */

export function countCharacters(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length; at++) {
    if (!isPair(text, at)) continue
    pairs++
    at++
  }
  return text.length - pairs
}

/** As `slice` of lists: from one character up to and without another; negative ones count from the end. */
export function sliceCharacters(text: string, from: number, to?: number): string {
  const count = countCharacters(text)
  if (count === text.length) return text.slice(from, to)
  const placeOf = (character: number) => Math.max(0, character < 0 ? count + character : character)
  const first = placeOf(from)
  const start = unitAfter(text, 0, first)
  return text.slice(start, unitAfter(text, start, placeOf(to ?? count) - first))
}

/** The place of the unit after so many characters. */
function unitAfter(text: string, start: number, characters: number): number {
  let at = start
  for (let n = 0; n < characters && at < text.length; n++) at += isPair(text, at) ? 2 : 1
  return at
}

/** Whether a unit of a text is the first one of a surrogate pair. */
export function isPair(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
}
