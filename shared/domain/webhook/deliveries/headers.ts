import { lengths, maxWebhookHeaders } from '../../limits.ts'

// Fixed headers that a webhook's requests have, such as an `authorization` that its receiver requires. Their values may be secrets: they
// are sealed at rest, and no answer, log or event shows them.

/** Names as they were written, with their values, in that order. */
export type FixedHeaders = readonly (readonly [name: string, value: string])[]

/** The error of one header; `name` null: the error concerns no single header. */
export type HeaderError = { name: string | null; message: string }

/** A token of HTTP. */
export const headerNamePattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"

/** Printable ASCII, and no space at either end, which HTTP would remove. */
export const headerValuePattern = '^[!-~]([ -~]*[!-~])?$'

/**
 * All errors of fixed headers, none of which names a value.
 * @param headerPrefix how the names of the service's own headers begin, such as `x-service`
 */
export function fixedHeaderErrors(headers: FixedHeaders, headerPrefix: string): HeaderError[] {
  const errors: HeaderError[] = []
  if (headers.length > maxWebhookHeaders) {
    errors.push({ name: null, message: `must have at most ${maxWebhookHeaders} headers` })
  }
  const seen = new Set<string>()
  for (const [name, value] of headers) {
    const message = nameError(name, headerPrefix) ?? (seen.has(name.toLowerCase()) ? repeated : valueError(value))
    if (message !== null) errors.push({ name, message })
    seen.add(name.toLowerCase())
  }
  return errors
}

/** Fixed headers as the text that is sealed, and back. */
export const serializeHeaders = (headers: FixedHeaders): string => JSON.stringify(headers)
export const parseHeaders = (text: string): FixedHeaders => JSON.parse(text)

/** The headers that may be sent: the prefix of the service's own may have been reconfigured since they were saved. */
export function sendableHeaders(headers: FixedHeaders, headerPrefix: string): FixedHeaders {
  return headers.filter(([name]) => !isReserved(name, headerPrefix))
}

const repeated = 'is a duplicate: header names ignore case'

function nameError(name: string, headerPrefix: string): string | null {
  if (name.length > lengths.headerName) return `must have a name of at most ${lengths.headerName} characters`
  if (!new RegExp(headerNamePattern).test(name)) return 'must have a name of letters, digits and hyphens'
  return isReserved(name, headerPrefix) ? 'is reserved: signatures, HTTP or listd set it' : null
}

function valueError(value: string): string | null {
  if (value.length > lengths.headerValue) return `must have at most ${lengths.headerValue} characters`
  return new RegExp(headerValuePattern).test(value)
    ? null
    : 'must be printable ASCII characters, at least one, without space at the ends'
}

function isReserved(name: string, headerPrefix: string): boolean {
  const lower = name.toLowerCase()
  const prefixes = ['webhook-', 'proxy-', `${headerPrefix.toLowerCase()}-`]
  return reserved.has(lower) || prefixes.some((prefix) => lower.startsWith(prefix))
}

/** Headers that frame a request, belong to one connection, or describe the body; and headers that request answers which listd does not read. */
const reserved = new Set(
  [
    'host connection keep-alive te trailer transfer-encoding upgrade http2-settings expect',
    'content-length content-type content-encoding content-range content-md5 content-digest',
    'accept-encoding range user-agent date',
  ].flatMap((names) => names.split(' ')),
)
