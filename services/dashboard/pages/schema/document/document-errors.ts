import { maxJsonDepth } from '#shared/domain/limits.ts'
import { errorPath } from '#shared/errors.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { placesOf } from '#shared/json/text/place.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'

/** An error of a document, and its place in the text: offsets, and the line and column of `from`, which count from 1. */
export type DocumentError = { from: number; to: number; line: number; column: number; message: string }

/** The syntax error of a text; null: it is valid JSON. */
export function syntaxErrorOf(text: string): DocumentError | null {
  const found = findSyntaxError(text, maxJsonDepth)
  if (found === null) return null
  const from = Math.min(found.offset, text.length)
  return { from, to: from + 1, ...new Lines(text).at(from), message: found.why }
}

/**
 * The errors that the service reported, in the order of the text.
 * @param text valid JSON
 * @param errors `details.errors` of the response
 */
export function serviceErrors(text: string, errors: readonly { path: string; message: string }[]): DocumentError[] {
  const value = JSON.parse(text)
  const pointed = errors.map(({ path, message }) => ({
    pointer: pointerOfPath(value, path).pointer,
    message: `${path || 'the document'} ${message}`,
  }))
  return placed(text, pointed).sort((one, other) => one.from - other.from)
}

/** The errors of changes in a plan, at the place of the list or index in the document. */
export function changeErrors(
  text: string,
  changes: readonly { list: string; index?: string; errors?: readonly { message: string }[] }[],
): DocumentError[] {
  const pointed = changes.flatMap(({ list, index, errors = [] }) => {
    const tokens = ['lists', list, ...(index === undefined ? [] : ['indexes', index])]
    return errors.map(({ message }) => ({ pointer: tokens.reduce(childPointer, ''), message }))
  })
  return pointed.length > 0 ? placed(text, pointed) : []
}

function placed(text: string, errors: readonly { pointer: string; message: string }[]): DocumentError[] {
  const places = placesOf(
    text,
    errors.map(({ pointer }) => pointer),
  )
  const lines = new Lines(text)
  return errors.map(({ pointer, message }) => {
    const place = places.get(pointer) ?? { from: 0, to: 0 }
    return { ...place, ...lines.at(place.from), message }
  })
}

/**
 * The pointer for a path of keys joined by dots, as in errors. Keys may contain dots themselves: the longest match is used. If the path does
 * not exist, it is the pointer of the last value on the way.
 */
function pointerOfPath(value: unknown, path: string, pointer = ''): { pointer: string; left: number } {
  let best = { pointer, left: path.length }
  if (path === '' || typeof value !== 'object' || value === null) return best
  for (const [key, inner] of Object.entries(value)) {
    const name = errorPath('', key)
    if (!path.startsWith(name) || (path.length > name.length && path[name.length] !== '.')) continue
    const found = pointerOfPath(inner, path.slice(name.length + 1), childPointer(pointer, key))
    if (found.left < best.left) best = found
  }
  return best
}

class Lines {
  readonly #starts: number[] = [0]

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  at(offset: number): { line: number; column: number } {
    let [low, high] = [0, this.#starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }
}
