import { LRUCache } from 'lru-cache'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import type { AttemptOutcome, ClaimedDelivery } from '#shared/domain/webhook/delivery.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import type { Logger } from '#shared/log/logger.ts'

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
    let secrets: ReturnType<typeof openSecrets>
    try {
      secrets = openSecrets(sealer, claim)
    } catch (error) {
      const { requestId, deliveryId, webhookId } = claim
      log('delivery.secret_unopened', { requestId, deliveryId, webhookId, reason: (error as Error).message })
      return { status: null, body: '', durationMs: 0, error: 'secret' }
    }
    return attempt({ ...claim, ...secrets }, signal)
  }
}

/** Opened secrets by binding and sealed text: opening one costs as much as a signature. */
const cache = new LRUCache<string, string>({ max: 2_000 })

/** The signing secrets of a claim in plain text, which exists only in this process's memory and only for sending. */
export function openSecrets(
  sealer: Pick<Sealer, 'open'>,
  claim: Pick<Claim, 'accountId' | 'webhookId' | 'secret' | 'previousSecret'>,
): { secret: string; previousSecret: string | null } {
  const binding = webhookSecretBinding(claim)
  return {
    secret: open(sealer, claim.secret, binding),
    previousSecret: claim.previousSecret === null ? null : open(sealer, claim.previousSecret, binding),
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
