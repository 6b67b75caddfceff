import { canonicalJson } from '#shared/json/canonical.ts'
import { signatureToleranceSeconds } from '../limits.ts'

/** One check of a request, and its result. */
export type Check = { name: CheckName; ok: boolean; message: string }
export const checkNames = ['service-signature', 'standard-signature', 'timestamp', 'body'] as const
export type CheckName = (typeof checkNames)[number]
export type Verification = { valid: boolean; checks: Check[] }

export type Secret = 'current' | 'old'

/** A request that a receiver reports, and the known delivery. */
export type VerifiedRequest = {
  /** By names in lower case. */
  headers: ReadonlyMap<string, string>
  body: string
  /** The body as it was sent; null: no delivery of the webhook has the ids of the headers. */
  sent: string | null
  /** How the names of the service's own headers begin, such as `x-service`. */
  headerPrefix: string
  /** Unix time. */
  nowSeconds: number
  /** The signature of a body by each scheme, as it is in its header; null: there is no old secret any more. */
  sign: {
    service(secret: Secret, of: { seconds: number; body: string }): string | null
    standard(secret: Secret, of: { seconds: number; body: string; id: string }): string | null
  }
}

/**
 * Explains why a receiver accepts or rejects a request. The request is valid if one scheme verifies within its tolerance; the old
 * secret is valid only for the public standard's header.
 */
export function verifyRequest(request: VerifiedRequest): Verification {
  const schemes = [serviceScheme(request), standardScheme(request)]
  const checked = schemes.map((scheme) => ({ scheme, ...checkSignature(request, scheme) }))
  const times = checked.map(({ scheme }) => scheme.seconds).filter((seconds) => seconds !== null)
  const valid = checked.some(({ scheme, check }) => check.ok && isInTime(scheme.seconds, request.nowSeconds))
  const isAsSigned = checked.some(({ signedBy }) => signedBy !== null)
  return {
    valid,
    checks: [
      ...checked.map(({ check }) => check),
      checkTime(times, request.nowSeconds),
      checkBody(request, isAsSigned),
    ],
  }
}

/** How a request is signed by one scheme. `missing`: a sentence about a missing or malformed header; null: none is. */
type Scheme = {
  name: 'service-signature' | 'standard-signature'
  missing: string | null
  seconds: number | null
  signatures: readonly string[]
  sign(secret: Secret, body: string): string | null
  /** Whether the old secret may still sign it. */
  takesOld: boolean
}

function serviceScheme({ headers, headerPrefix, sign }: VerifiedRequest): Scheme {
  const name = `${headerPrefix}-signature`
  const value = headers.get(name)
  const parts = (value ?? '').split(',').map((part) => part.trim())
  const seconds = secondsOf(parts.find((part) => part.startsWith('t='))?.slice(2))
  const form = seconds === null ? `${name} has no time; the format is t=<seconds>,v1=<signature>.` : null
  return {
    name: 'service-signature',
    missing: value === undefined ? `The header ${name} is missing.` : form,
    seconds,
    signatures: parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3)),
    sign: (secret, body) => (seconds === null ? null : sign.service(secret, { seconds, body })),
    takesOld: false,
  }
}

function standardScheme({ headers, sign }: VerifiedRequest): Scheme {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const [id = '', timestamp, value = ''] = names.map((name) => headers.get(name))
  const absent = names.filter((name) => !headers.has(name))
  const seconds = secondsOf(timestamp)
  const missing = absent.length === 1 ? `The header ${absent[0]} is missing.` : `${absent.join(', ')} are missing.`
  const form = seconds === null ? 'webhook-timestamp is not a time in seconds.' : null
  return {
    name: 'standard-signature',
    missing: absent.length > 0 ? missing : form,
    seconds,
    signatures: value.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : [])),
    sign: (secret, body) => (seconds === null ? null : sign.standard(secret, { seconds, body, id })),
    takesOld: true,
  }
}

/** Parses a time that a client may have changed: accepts only the form that a signer writes. */
function secondsOf(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : null
}

type Checked = { check: Check; signedBy: Secret | null }

function checkSignature(request: VerifiedRequest, scheme: Scheme): Checked {
  const { name, missing, takesOld } = scheme
  if (missing !== null) return { check: { name, ok: false, message: missing }, signedBy: null }
  const signedBy = signerOf(scheme, request.body)
  if (signedBy === 'current') return { check: { name, ok: true, message: 'Signed with the secret.' }, signedBy }
  if (signedBy === 'old') {
    const valid = 'It is valid in this header for 24 hours after the secret was replaced.'
    const message = `Signed with the old secret. ${takesOld ? valid : 'It is valid only in webhook-signature.'}`
    return { check: { name, ok: takesOld, message }, signedBy }
  }
  const isOfOtherBytes = otherBodies(request).some((body) => signerOf(scheme, body) !== null)
  const message = isOfOtherBytes
    ? 'The signature is correct, but for different bytes than this body.'
    : 'Signed with another secret, or for another body. Check that this is the right webhook, and that its secret was valid in the last 24 hours.'
  return { check: { name, ok: false, message }, signedBy: null }
}

function signerOf({ signatures, sign }: Scheme, body: string): Secret | null {
  const isBy = (secret: Secret) => {
    const signature = sign(secret, body)
    return signature !== null && signatures.includes(signature)
  }
  if (isBy('current')) return 'current'
  return isBy('old') ? 'old' : null
}

function checkTime(times: readonly number[], nowSeconds: number): Check {
  const name = 'timestamp'
  const [seconds] = times.toSorted((one, other) => Math.abs(one - nowSeconds) - Math.abs(other - nowSeconds))
  if (seconds === undefined) return { name, ok: false, message: 'There is no timestamp.' }
  const off = Math.abs(nowSeconds - seconds)
  if (isInTime(seconds, nowSeconds)) return { name, ok: true, message: `Timestamp ${spanOf(off)} off.` }
  const why = seconds > nowSeconds ? "The receiver's clock may be slow." : 'The request is old, or a clock is wrong.'
  return {
    name,
    ok: false,
    message: `Timestamp ${spanOf(off)} off: ${spanOf(signatureToleranceSeconds)} are allowed. ${why}`,
  }
}

function isInTime(seconds: number | null, nowSeconds: number): boolean {
  return seconds !== null && Math.abs(nowSeconds - seconds) <= signatureToleranceSeconds
}

function spanOf(seconds: number): string {
  const [size, unit] =
    seconds < 120
      ? [1, 'second']
      : seconds < 7_200
        ? [60, 'minute']
        : seconds < 172_800
          ? [3_600, 'hour']
          : [86_400, 'day']
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function checkBody(request: VerifiedRequest, isAsSigned: boolean): Check {
  const { body, sent } = request
  const name = 'body'
  if (isAsSigned || body === sent) return { name, ok: true, message: 'The body matches the bytes that were sent.' }
  return { name, ok: false, message: bodyError(body, sent) }
}

function bodyError(body: string, sent: string | null): string {
  if (body === '') return 'The body is empty: was it read before?'
  if (sent === null) return 'No delivery of this webhook has the ids of the headers, so the body cannot be compared.'
  if (body.trim() === sent) return 'White space was added at the start or end of the body.'
  if (isSameJson(body, sent)) {
    return 'The body was parsed and serialized again: same JSON, different bytes. Verify the raw bytes before parsing.'
  }
  return 'The body differs from the one that was sent with these ids.'
}

/** Bodies that may have been signed instead. */
function otherBodies({ body, sent }: VerifiedRequest): string[] {
  return sent === null || sent === body ? [] : [sent]
}

/** Equal to a program that has parsed both: large numbers may have lost digits. */
function isSameJson(one: string, other: string): boolean {
  try {
    return canonicalJson(JSON.parse(one)) === canonicalJson(JSON.parse(other))
  } catch {
    return false // not JSON, or too deep
  }
}
