import type { Sealer } from '#shared/crypto/seal.ts'
import { signedHeaders } from '#shared/crypto/signature.ts'
import { openHeaders, openSecrets } from '#shared/crypto/webhook-secrets.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { AttemptOutcome, ClaimedDelivery } from '#shared/domain/webhook/deliveries/delivery.ts'
import { sendableHeaders } from '#shared/domain/webhook/deliveries/headers.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'
import type { LogEventName } from '#shared/log/events.ts'
import type { Logger } from '#shared/log/logger.ts'
import manifest from '../../package.json' with { type: 'json' }
import type { HttpClient } from './egress/http-client.ts'

type AttemptDeps = {
  client: Pick<HttpClient, 'post'>
  /** The prefix of the names of the service's own three headers, such as `x-service`. */
  headerPrefix: string
  /** Epoch milliseconds. */
  now(): number
}

/** How requests identify their sender. */
export const userAgent = `${manifest.name}/${manifest.version}`

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
  const headers = ['content-type', 'application/json', 'user-agent', userAgent]
  for (const header of signedHeaders({ ...claimed, body, headerPrefix, at: now() })) headers.push(...header)
  headers.push(...sendableHeaders(claimed.headers, headerPrefix).flat())
  const { webhookId: key, url } = claimed
  return client.post({ key, url, headers, body, isDetailed: isPing(claimed), ...(signal && { signal }) })
}

type Attempt<Sent> = (sent: Sent, signal: AbortSignal) => Promise<AttemptOutcome>

/**
 * Attempts that open the secrets of a claim first. If they cannot be opened, nothing is sent, and the outcome says so: the
 * delivery is retried like any other, and this process may have the key by then.
 */
export function openingSecrets(
  { sealer, log }: { sealer: Pick<Sealer, 'open'>; log: Logger },
  attempt: Attempt<ClaimedDelivery>,
): Attempt<Claim> {
  return async (claim, signal) => {
    const { requestId, deliveryId, webhookId } = claim
    const report = (event: LogEventName, error: unknown) =>
      log(event, { requestId, deliveryId, webhookId, reason: (error as Error).message })
    let secrets: Pick<ClaimedDelivery, 'secret' | 'previousSecret' | 'headers'>
    try {
      secrets = {
        ...openSecrets(sealer, claim, (error) => report('delivery.old_secret_unopened', error)),
        headers: openHeaders(sealer, claim),
      }
    } catch (error) {
      report('delivery.secret_unopened', error)
      return { status: null, body: '', durationMs: 0, error: 'secret' }
    }
    return attempt({ ...claim, ...secrets }, signal)
  }
}
