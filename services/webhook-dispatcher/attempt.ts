import { LRUCache } from 'lru-cache'
import type { Sealer } from '#shared/crypto/seal.ts'
import { signatureHeader, standardSignatures } from '#shared/crypto/signature.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { AttemptOutcome, ClaimedDelivery } from '#shared/domain/webhook/delivery.ts'
import { parseHeaders, sendableHeaders } from '#shared/domain/webhook/headers.ts'
import { webhookHeadersBinding, webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import type { LogEventName } from '#shared/log/events.ts'
import type { Logger } from '#shared/log/logger.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { HttpClient } from './egress/http-client.ts'

type AttemptDeps = {
  client: Pick<HttpClient, 'post'>
  /** How the names of the service's own three headers begin, such as `x-service`. */
  headerPrefix: string
  /** Epoch milliseconds. */
  now(): number
}

const userAgent = `${manifest.name}/${manifest.version}`

/**
 * Sends one claimed delivery (specification, "Delivery request"; contract 2.7), signed now with the current secret over
 * exactly the bytes that are sent, with the fixed headers of its webhook. While a replaced secret is still valid, only `webhook-signature` carries its signature
 * too. Never rejects.
 */
export function sendAttempt(
  { client, headerPrefix, now }: AttemptDeps,
  claimed: ClaimedDelivery,
  signal?: AbortSignal,
): Promise<AttemptOutcome> {
  const body = Buffer.from(claimed.body, 'utf8')
  const timestampSeconds = Math.floor(now() / 1000)
  const secrets = claimed.previousSecret === null ? [claimed.secret] : [claimed.secret, claimed.previousSecret]
  const id = claimed.eventId
  const headers = [
    'content-type',
    'application/json',
    'user-agent',
    userAgent,
    `${headerPrefix}-signature`,
    signatureHeader({ secret: claimed.secret, timestampSeconds, body }),
    `${headerPrefix}-event`,
    claimed.event,
    `${headerPrefix}-delivery`,
    claimed.deliveryId,
    'webhook-id',
    id,
    'webhook-timestamp',
    `${timestampSeconds}`,
    'webhook-signature',
    standardSignatures({ secrets, id, timestampSeconds, body }),
    ...sendableHeaders(claimed.headers, headerPrefix).flat(),
  ]
  return client.post({ key: claimed.webhookId, url: claimed.url, headers, body, ...(signal && { signal }) })
}

type Attempt<Sent> = (sent: Sent, signal: AbortSignal) => Promise<AttemptOutcome>

/**
 * Attempts that open the secrets of a claim first. Where they cannot be opened nothing is sent, and the outcome says so: the
 * delivery is retried like any other, by when this process may have the key.
 */
export function openingSecrets(
  { sealer, log }: { sealer: Pick<Sealer, 'open'>; log: Logger },
  attempt: Attempt<ClaimedDelivery>,
): Attempt<Claim> {
  return async (claim, signal) => {
    const { requestId, deliveryId, webhookId } = claim
    const tell = (event: LogEventName, error: unknown) =>
      log(event, { requestId, deliveryId, webhookId, reason: (error as Error).message })
    let secrets: ReturnType<typeof openSecrets>
    try {
      secrets = openSecrets(sealer, claim, (error) => tell('delivery.old_secret_unopened', error))
    } catch (error) {
      tell('delivery.secret_unopened', error)
      return { status: null, body: '', durationMs: 0, error: 'secret' }
    }
    return attempt({ ...claim, ...secrets }, signal)
  }
}

/** Opened texts by binding and sealed text: opening one costs as much as a signature. */
const cache = new LRUCache<string, string>({ max: 2_000 })

type Sealed = Pick<Claim, 'accountId' | 'webhookId' | 'secret' | 'previousSecret' | 'headers'>
type Opened = Pick<ClaimedDelivery, 'secret' | 'previousSecret' | 'headers'>

/**
 * The signing secrets and fixed headers of a claim in plain text, which exists only in this process's memory and only for sending.
 * @param onUnopened told why the replaced secret cannot be opened, which is left out then: a webhook whose lost secret was replaced
 * must not wait for a day
 * @throws Error when the current secret or the headers cannot be opened
 */
export function openSecrets(
  sealer: Pick<Sealer, 'open'>,
  claim: Sealed,
  onUnopened: (error: unknown) => void = () => {},
): Opened {
  const binding = webhookSecretBinding(claim)
  const secret = open(sealer, claim.secret, binding)
  const headers = claim.headers === null ? [] : parseHeaders(open(sealer, claim.headers, webhookHeadersBinding(claim)))
  if (claim.previousSecret === null) return { secret, headers, previousSecret: null }
  try {
    return { secret, headers, previousSecret: open(sealer, claim.previousSecret, binding) }
  } catch (error) {
    onUnopened(error)
    return { secret, headers, previousSecret: null }
  }
}

function open(sealer: Pick<Sealer, 'open'>, sealed: string, binding: string): string {
  const key = `${binding} ${sealed}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const secret = sealer.open(sealed, binding)
  cache.set(key, secret)
  return secret
}
