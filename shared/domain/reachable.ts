/**
 * Whether a path can address something with this name. A path cannot address an empty name, or `.` and `..`, which clients remove from a
 * URL in any encoding (RFC 3986, section 5.2.4).
 */
export function isReachable(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..'
}

/** The same as a JSON Schema `pattern`, without look-ahead. */
export const reachablePattern = '^(\\.{0,2}[^.]|\\.{3})'

export const reachableRule = 'neither "." nor "..", which URLs cannot address'
