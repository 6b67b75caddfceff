import { signatureHeader, standardSignatures } from '#shared/crypto/signature.ts'
import type { AttemptOutcome, ClaimedDelivery } from '#shared/domain/webhook/delivery.ts'
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
 * exactly the bytes that are sent. While a replaced secret is still valid, only `webhook-signature` carries its signature
 * too. Never rejects.
 */
export function makeAttempt(
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
  ]
  return client.post({ key: claimed.webhookId, url: claimed.url, headers, body, ...(signal && { signal }) })
}
