import { lengths } from '../../limits.ts'

/** The names of headers that a flow may set, as a JSON Schema `pattern`. */
export const headerNamePattern = '^([Ll]ocation|[Cc]ache-[Cc]ontrol|[Rr]etry-[Aa]fter|[Xx]-[A-Za-z0-9-]+)$'
const allowed = new RegExp(headerNamePattern)

/** Headers beginning with `x-` that a flow may not set: security headers, headers of listd itself, and headers that proxies obey. */
const reserved = [
  'x-content-type-options',
  'x-frame-options',
  'x-xss-protection',
  'x-permitted-cross-domain-policies',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-request-id',
  'x-flow-run',
  'x-content-security-policy',
  'x-webkit-csp',
  'x-offload',
]
const reservedBeginnings = [
  'x-accel-',
  'x-sendfile',
  'x-reproxy-',
  'x-lighttpd-',
  'x-litespeed-',
  'x-envoy-',
  'x-middleware-',
  'x-rate-limit-',
  'x-forwarded-',
]

/** Why a flow may not set a header of this name; null: it may. */
export function headerNameError(name: string): string | null {
  const lowerCase = name.toLowerCase()
  const isReserved =
    reserved.includes(lowerCase) || reservedBeginnings.some((beginning) => lowerCase.startsWith(beginning))
  if (isReserved) return 'is a header that a flow may not set'
  if (name.length > lengths.headerName) return `must be at most ${lengths.headerName} characters long`
  return allowed.test(name)
    ? null
    : 'is a header that a flow may not set; it may set location, cache-control, retry-after and x-…'
}

/** Why a text may not be the value of a header; null: it may. */
export function headerValueError(value: string): string | null {
  if (value.length > lengths.headerValue) return `must be at most ${lengths.headerValue} characters long`
  return /^[\x20-\x7e]*$/.test(value) ? null : 'must have only printable ASCII characters'
}
