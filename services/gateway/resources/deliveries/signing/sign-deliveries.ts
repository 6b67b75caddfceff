import { signedHeaders, type ToSign } from '#shared/crypto/signature.ts'
import { findSent } from '#shared/data/deliveries/deliveries.ts'
import { findWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { signatureToleranceSeconds } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import type { SigningDeps } from './context.ts'
import { openedSecrets } from './opened-secrets.ts'

/** The headers that a delivery would be sent with now; the `omitted` ones are sealed and never shown. */
export type SignedDelivery = {
  id: string
  url: string
  headers: Record<string, string>
  omitted: readonly string[]
  expiresAt: string
}

/**
 * Signs deliveries as if they were sent now, so that your own receiver can be tested with the real bytes.
 * @throws REQUESTED_ENTITY_NOT_FOUND, SERVICE_UNAVAILABLE; VALIDATION_FAILED for ids that are not deliveries of the webhook
 */
export async function signDeliveries(
  deps: SigningDeps,
  key: WebhookKey,
  deliveryIds: readonly string[],
): Promise<SignedDelivery[]> {
  const webhook = await findWebhook(deps.db, key)
  if (!webhook) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const secrets = await openedSecrets(deps, key)
  const found = await findSent(deps.db.long, key, deliveryIds)
  const missing = deliveryIds.flatMap((id, n) =>
    found.has(id) ? [] : [{ path: `deliveries.${n}`, message: 'is not a delivery of this webhook' }],
  )
  if (missing.length > 0) throw validationFailed(missing)
  const at = deps.now()
  const expiresAt = isoTime(Math.floor(at / 1000 + signatureToleranceSeconds) * 1000)
  const { headerPrefix } = deps.config.webhooks
  return [...found].map(([id, sent]) => ({
    id,
    url: webhook.url,
    headers: headersOf({ ...sent, ...secrets, deliveryId: id, headerPrefix, at }),
    omitted: webhook.headerNames,
    expiresAt,
  }))
}

function headersOf(signed: ToSign): Record<string, string> {
  return Object.fromEntries([['content-type', 'application/json'], ...signedHeaders(signed)])
}
