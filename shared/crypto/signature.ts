import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { OpenSecrets } from './webhook-secrets.ts'

/** The exact bytes of a delivery; text is signed as its UTF-8. */
export type SignedBody = string | Uint8Array

const secretPrefix = 'whsec_'
const secretBytes = 32

/** A new signing secret: `whsec_` and base64 of 32 random bytes (contract 2.7). */
export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(secretBytes).toString('base64')
}

/**
 * The value of `x-service-signature`: `t=<unix seconds>,v1=<hex>`, HMAC-SHA256 of `<t>.<body>`, keyed with the UTF-8
 * bytes of the whole secret text (specification, Events; contract 2.7). The npm package stripe verifies this scheme.
 */
export function signatureHeader(input: { secret: string; timestampSeconds: number; body: SignedBody }): string {
  const { secret, timestampSeconds, body } = input
  const hmac = createHmac('sha256', keysOf(secret).text).update(`${timestampSeconds}.`).update(body)
  return `t=${timestampSeconds},v1=${hmac.digest('hex')}`
}

/**
 * The value of `webhook-signature` of Standard Webhooks: one `v1,<base64>` per secret, space-separated, HMAC-SHA256 of
 * `<id>.<t>.<body>`, keyed with the bytes after the prefix. There are two secrets while a replaced one is still valid.
 */
export function standardSignatures(input: {
  secrets: readonly string[]
  id: string
  timestampSeconds: number
  body: SignedBody
}): string {
  const { secrets, id, timestampSeconds, body } = input
  const signed = `${id}.${timestampSeconds}.`
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', keysOf(secret).bytes).update(signed).update(body).digest('base64')}`
  return secrets.map(sign).join(' ')
}

/** The input of a delivery's signature. */
export type ToSign = OpenSecrets & {
  eventId: string
  /** The event type, such as `item.created`. */
  event: string
  deliveryId: string
  body: SignedBody
  /** The prefix of the service's own three headers, such as `x-service`. */
  headerPrefix: string
  /** Epoch milliseconds. */
  at: number
}

/** The headers of the public standard. `secrets`: all that are still valid; `at`: epoch milliseconds. */
export function standardHeaders({
  at,
  ...signed
}: {
  secrets: readonly string[]
  id: string
  body: SignedBody
  at: number
}): [name: string, value: string][] {
  const timestampSeconds = secondsOf(at)
  return [
    ['webhook-id', signed.id],
    ['webhook-timestamp', `${timestampSeconds}`],
    ['webhook-signature', standardSignatures({ ...signed, timestampSeconds })],
  ]
}

const secondsOf = (at: number) => Math.floor(at / 1000)

/**
 * The headers that sign a delivery and name it, in order (specification, "Delivery request"). While a replaced secret is still
 * valid, only `webhook-signature` carries its signature too.
 */
export function signedHeaders(of: ToSign): [name: string, value: string][] {
  const { secret, previousSecret, eventId, event, deliveryId, body, headerPrefix, at } = of
  const secrets = previousSecret === null ? [secret] : [secret, previousSecret]
  return [
    [`${headerPrefix}-signature`, signatureHeader({ secret, timestampSeconds: secondsOf(at), body })],
    [`${headerPrefix}-event`, event],
    [`${headerPrefix}-delivery`, deliveryId],
    ...standardHeaders({ secrets, id: eventId, body, at }),
  ]
}

type SigningKeys = { text: KeyObject; bytes: KeyObject }

const cachedKeys = new LRUCache<string, SigningKeys>({ max: 1_000 })

/**
 * Both keys of a secret. Deriving them costs more than the two signatures (11 µs a delivery, 4 with cached keys, for a body of 1 KB),
 * so those used last are cached.
 */
function keysOf(secret: string): SigningKeys {
  const cached = cachedKeys.get(secret)
  if (cached) return cached
  const keys = {
    text: createSecretKey(secret, 'utf8'),
    bytes: createSecretKey(secret.slice(secretPrefix.length), 'base64'),
  }
  cachedKeys.set(secret, keys)
  return keys
}
