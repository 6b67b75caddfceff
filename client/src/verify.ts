import { parse } from './json.ts'

/** The event of one delivery. */
export type WebhookEvent<Data = unknown> = { id: string; type: string; createdAt: string; data: Data }

export type VerifyInput = {
  /** The webhook's secret, or several while one replaces another. */
  secret: string | readonly string[]
  /** The request's headers: of `fetch`, or of Node.js. */
  headers: Headers | Record<string, string | readonly string[] | undefined>
  /** The raw bytes of the body, before parsing. */
  body: Uint8Array | ArrayBuffer | string
  /** The maximum difference between the request's time and now, in seconds. Default: 300. */
  toleranceSeconds?: number
  /** The prefix of the header that ends in `-signature`, if the operator has changed it. */
  headerPrefix?: string
}

/** A request that listd did not send, or that was sent at another time. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
  readonly reason: 'missing' | 'time' | 'mismatch'

  constructor(reason: WebhookSignatureError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Verifies the signature of a webhook's request: `webhook-signature` of Standard Webhooks if it is there, else
 * `x-service-signature`. @returns the event @throws WebhookSignatureError
 */
export async function verifyWebhook<Data = unknown>(input: VerifyInput): Promise<WebhookEvent<Data>> {
  const { toleranceSeconds = 300, secret } = input
  const body = typeof input.body === 'string' ? encode(input.body) : new Uint8Array(input.body)
  const scheme = readSignature(input)
  if (!scheme) throw new WebhookSignatureError('missing', 'The request has no signature.')
  if (!(Math.abs(Date.now() / 1000 - Number(scheme.seconds)) <= toleranceSeconds)) {
    throw new WebhookSignatureError(
      'time',
      'The request was not signed recently, or the clock of its sender or of this machine is wrong.',
    )
  }
  const content = await new Blob([scheme.before, body]).arrayBuffer()
  for (const one of [secret].flat()) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', scheme.keyOf(one), algorithm, false, ['sign'])
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
    if (scheme.signatures.some((signature) => isEqual(expected, signature))) {
      return parse(new TextDecoder().decode(body)) as WebhookEvent<Data>
    }
  }
  throw new WebhookSignatureError('mismatch', 'The signature does not match this body and secret.')
}

const encode = (text: string) => new TextEncoder().encode(text)

/** The signature of the request: its time, the text that is signed before the body, the key, and the signatures; null: not signed. */
function readSignature({ headers, headerPrefix = 'x-service' }: VerifyInput) {
  const standard = findHeader(headers, 'webhook-signature')
  if (standard !== undefined) {
    const seconds = findHeader(headers, 'webhook-timestamp')
    return {
      seconds,
      before: `${findHeader(headers, 'webhook-id')}.${seconds}.`,
      signatures: allOf(standard, /(?:^| )v1,([\w+/]{43}=)(?= |$)/g).map(fromBase64),
      keyOf: (secret: string) => fromBase64(secret.replace(/^whsec_/, '')),
    }
  }
  const service = findHeader(headers, `${headerPrefix}-signature`)
  if (service === undefined) return null
  const [seconds] = allOf(service, /(?:^|,)t=(\d+)(?=,|$)/g)
  const signatures = allOf(service, /(?:^|,)v1=([0-9a-f]{64})(?=,|$)/g).map(fromHex)
  return { seconds, before: `${seconds}.`, signatures, keyOf: encode }
}

function findHeader(headers: VerifyInput['headers'], name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? []
  return value === undefined ? undefined : String(value)
}

/** Also those of another `fetch` than the runtime's. */
const isFetchHeaders = (headers: object): headers is Headers => 'get' in headers && typeof headers.get === 'function'

function allOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, value = '']) => value)
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Compares in constant time. */
function isEqual(expected: Uint8Array, signature: Uint8Array): boolean {
  return expected.reduce((difference, byte, n) => difference | (byte ^ (signature[n] ?? 256)), 0) === 0
}
