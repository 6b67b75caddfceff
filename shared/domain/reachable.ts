/**
 * Whether a path can lead to what has this name. None leads to an empty one, nor to `.` and `..`, which clients leave out of an address
 * however they are encoded (RFC 3986, section 5.2.4).
 */
export function isReachable(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..'
}

/** The same as a JSON Schema `pattern`, without look-ahead. */
export const reachablePattern = '^(\\.{0,2}[^.]|\\.{3})'

export const reachableRule = 'neither "." nor "..", to which no address leads'
