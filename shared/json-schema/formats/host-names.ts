import idnHostname from 'idn-hostname'

/** A host name has at most 253 characters in ASCII, and each of its own characters becomes at least one of them. */
const maxLength = 2 * 253

/** Whether a text is a host name of letters, digits and hyphens (RFC 1123). A label that begins with `xn--` is one of IDNA 2008. */
export function isHostName(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text) && isInternationalHostName(text)
}

/** Whether a text is a host name of IDNA 2008 (RFC 5890 to 5893): rules of characters, contexts, directions and lengths. */
export function isInternationalHostName(text: string): boolean {
  // The package takes time quadratic in the text.
  if (text.length > maxLength) return false
  try {
    return idnHostname.isIdnHostname(text)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return false
    throw error
  }
}
