import { errorPath } from '#shared/errors.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import { placesOf } from '#shared/json/text/place.ts'

/** An error of a schema, and its place in the text. `pointer` is null if the text is not valid JSON; lines count from 1. */
export type SchemaError = { pointer: string | null; from: number; to: number; line: number; message: string }

/**
 * The errors that a response reports for a schema, in the order of its text.
 * @param text valid JSON, as it was sent
 * @param errors `details.errors` of the response
 * @param path of the schema in the request, such as `schema`
 */
export function schemaErrors(
  text: string,
  errors: readonly { path: string; message: string }[],
  path: string,
): SchemaError[] {
  const root = new JsonEdit(compact(text))
  const reported = errors
    .filter((error) => error.path === path || error.path.startsWith(`${path}.`))
    .map((error) => ({ pointer: pointerOf(root, error.path.slice(path.length + 1)), message: error.message }))
  const places = placesOf(text, [...new Set(reported.map(({ pointer }) => pointer))])
  return reported
    .map(({ pointer, message }) => {
      const { from, to } = places.get(pointer) ?? { from: 0, to: 1 }
      return { pointer, from, to, line: text.slice(0, from).split('\n').length, message }
    })
    .sort((one, other) => one.from - other.from)
}

/** The pointer for a dotted path, as deep as the value has it. Keys may contain dots themselves. */
function pointerOf(value: JsonEdit, path: string, pointer = ''): string {
  if (path === '' || value.kind === 'scalar') return pointer
  for (const [key, child] of childrenOf(value)) {
    const shown = errorPath('', key)
    if (path !== shown && !path.startsWith(`${shown}.`)) continue
    const found = pointerOf(child, path.slice(shown.length + 1), childPointer(pointer, key))
    // If both `a` and `a.b` are keys, the path means the longer one.
    if (!isShortened(value, path, shown)) return found
  }
  return pointer
}

/** Whether a longer key also matches the path. */
function isShortened(value: JsonEdit, path: string, shown: string): boolean {
  return childrenOf(value).some(([key]) => {
    const other = errorPath('', key)
    return other.length > shown.length && (path === other || path.startsWith(`${other}.`))
  })
}

function childrenOf(value: JsonEdit): (readonly [string, JsonEdit])[] {
  if (value.kind === 'array') return value.elements.map((element, n) => [String(n), element] as const)
  return [...value.members].map(([key, member]) => [key, member.value] as const)
}
