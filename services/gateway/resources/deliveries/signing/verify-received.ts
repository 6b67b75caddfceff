import { signatureHeader, standardSignatures } from '#shared/crypto/signature.ts'
import type { OpenSecrets } from '#shared/crypto/webhook-secrets.ts'
import { findBodyOfEvent, findSent } from '#shared/data/deliveries/deliveries.ts'
import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { isId } from '#shared/domain/id.ts'
import {
  type Secret,
  type Verification,
  type VerifiedRequest,
  verifyRequest,
} from '#shared/domain/webhook/verification.ts'
import type { SigningDeps } from './context.ts'
import { openedSecrets } from './opened-secrets.ts'

/**
 * Verifies a request that a receiver got: whether it is from this webhook, and if not, why.
 * @param received.headers names in any case
 * @throws REQUESTED_ENTITY_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function verifyReceived(
  deps: SigningDeps,
  key: WebhookKey,
  received: { headers: Readonly<Record<string, string>>; body: string },
): Promise<Verification> {
  const secrets = await openedSecrets(deps, key)
  const { headerPrefix } = deps.config.webhooks
  const headers = new Map(Object.entries(received.headers).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const sent = await findSentBody(deps, key, {
    eventId: headers.get('webhook-id'),
    deliveryId: headers.get(`${headerPrefix}-delivery`),
  })
  const nowSeconds = Math.floor(deps.now() / 1000)
  return verifyRequest({ headers, body: received.body, sent, headerPrefix, nowSeconds, sign: signers(secrets) })
}

async function findSentBody(
  { db }: SigningDeps,
  key: WebhookKey,
  { eventId, deliveryId }: { eventId: string | undefined; deliveryId: string | undefined },
): Promise<string | null> {
  if (eventId !== undefined && isId(eventId)) return findBodyOfEvent(db, { ...key, eventId })
  if (deliveryId === undefined || !isId(deliveryId)) return null
  return (await findSent(db, key, [deliveryId])).get(deliveryId)?.body ?? null
}

function signers({ secret, previousSecret }: OpenSecrets): VerifiedRequest['sign'] {
  const of = (which: Secret) => (which === 'current' ? secret : previousSecret)
  return {
    service(which, { seconds, body }) {
      const text = of(which)
      return text && (signatureHeader({ secret: text, timestampSeconds: seconds, body }).split('v1=')[1] ?? null)
    },
    standard(which, { seconds, body, id }) {
      const text = of(which)
      return text && standardSignatures({ secrets: [text], id, timestampSeconds: seconds, body }).slice('v1,'.length)
    },
  }
}
