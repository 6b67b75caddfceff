/** A place in a text: both numbers count from 1, columns in UTF-16 units. */
export type Place = { line: number; column: number }

/** The place of an offset in a text, whose lines end with a line feed. */
export function placeOf(text: string, offset: number): Place {
  let [line, before] = [1, -1]
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line++
    before = at
  }
  return { line, column: offset - before }
}
