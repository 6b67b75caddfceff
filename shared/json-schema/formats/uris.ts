import { isIpv6 } from './ip-addresses.ts'

// URIs of RFC 3986, IRIs of RFC 3987, templates of RFC 6570. A part is searched for what it must not have, so that no check goes back.

/** The characters of a part that stand for themselves, as the inside of a class, in addition to `%` with two digits. */
const plain = "\\w.~!$&'()*+,;=\\-"
const beyondAscii =
  '\\u{a0}-\\u{d7ff}\\u{f900}-\\u{fdcf}\\u{fdf0}-\\u{ffef}' +
  Array.from({ length: 14 }, (_, n) => planeRange(n + 1, n === 13 ? '1000' : '0')).join('')
const privateUse = `\\u{e000}-\\u{f8ff}${planeRange(15, '0')}${planeRange(16, '0')}`

function planeRange(plane: number, from: string): string {
  const prefix = plane.toString(16)
  return `\\u{${prefix}${from.padStart(4, '0')}}-\\u{${prefix}fffd}`
}

/** Finds what the parts of a URI or of an IRI must not have. */
type Grammar = Record<'user' | 'host' | 'path' | 'query' | 'fragment', RegExp>

const uri = grammar('', '')
const iri = grammar(beyondAscii, privateUse)

function grammar(beyond: string, ofQueries: string): Grammar {
  const other = (more: string) => new RegExp(`[^${plain}${beyond}${more}%]`, 'u')
  return {
    user: other(':'),
    host: other(''),
    path: other(':@/'),
    query: other(`:@/?${ofQueries}`),
    fragment: other(':@/?'),
  }
}

export const isUri = (text: string): boolean => isReference(text, uri, true)
export const isUriReference = (text: string): boolean => isReference(text, uri)
export const isIri = (text: string): boolean => isReference(text, iri, true)
export const isIriReference = (text: string): boolean => isReference(text, iri)

/** Any text is split by it (RFC 3986, appendix B). */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s
const brokenEscape = /%(?![0-9a-f]{2})/i

function isReference(text: string, grammar: Grammar, needsScheme = false): boolean {
  const [, scheme, authority, path = '', query = '', fragment = ''] = parts.exec(text) ?? []
  if (scheme === undefined ? needsScheme : !/^[a-z][a-z0-9+.-]*$/i.test(scheme)) return false
  // It would be read as a scheme.
  if (scheme === undefined && authority === undefined && path.split('/', 1)[0]?.includes(':')) return false
  if (authority !== undefined && !isAuthority(authority, grammar)) return false
  const { path: notInPath, query: notInQuery, fragment: notInFragment } = grammar
  return !(notInPath.test(path) || notInQuery.test(query) || notInFragment.test(fragment) || brokenEscape.test(text))
}

function isAuthority(text: string, { user, host }: Grammar): boolean {
  const at = text.indexOf('@')
  if (user.test(text.slice(0, Math.max(at, 0)))) return false
  const found = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::\d*)?$/.exec(text.slice(at + 1))
  if (!found) return false
  const [, literal, name = ''] = found
  if (literal === undefined) return !host.test(name)
  return isIpv6(literal) || /^v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(literal)
}

const variable = '(?:\\w|%[0-9a-f]{2})(?:\\.?(?:\\w|%[0-9a-f]{2}))*(?::[1-9]\\d{0,3}|\\*)?'
const expression = new RegExp(`\\{[+#./;?&=,!@|]?${variable}(?:,${variable})*\\}`, 'gi')
const notInTemplate = new RegExp(`[^!#-;=?-[\\]_a-z~${beyondAscii}${privateUse}]`, 'u')

export function isUriTemplate(text: string): boolean {
  // What stands for an expression is not a digit of an escape around it.
  const literals = text.replace(expression, '_')
  return !(notInTemplate.test(literals) || brokenEscape.test(literals))
}
