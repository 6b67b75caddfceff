/** JSON Pointers (RFC 6901) into parsed JSON. */

/** The decoded reference tokens of a pointer; null when the text is not one. `''` is the whole document: no tokens. */
export function parsePointer(pointer: string): string[] | null {
  if (pointer === '') return []
  if (!pointerForm.test(pointer)) return null
  return pointer.slice(1).split('/').map(decodeToken)
}

const pointerForm = /^(?:\/(?:[^~/]|~[01])*)*$/

function decodeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token
}

/** The pointer of a member or an element of what a pointer leads to. */
export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The value at a pointer; undefined when there is none or the text is not a pointer. Only own properties count. */
export function valueAt(value: unknown, pointer: string): unknown {
  const tokens = parsePointer(pointer)
  if (tokens === null) return undefined
  let found = value
  for (const token of tokens) {
    if (typeof found !== 'object' || found === null) return undefined
    if (Array.isArray(found) && !arrayPosition.test(token)) return undefined
    if (!Object.hasOwn(found, token)) return undefined
    found = (found as Record<string, unknown>)[token]
  }
  return found
}

const arrayPosition = /^(?:0|[1-9][0-9]*)$/

/** The path in the request's body of a pointer into an item's data, for errors: `/a/0` is `data.a.0`. */
export function dataPath(pointer: string): string {
  return ['data', ...(parsePointer(pointer) ?? [])].join('.')
}
