/** The elements of a header that is a list, without the empty ones, which do not count (RFC 9110, section 5.6.1). */
export function listElements(header: string): string[] {
  return header
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
}
