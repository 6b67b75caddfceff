import { LRUCache } from 'lru-cache'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'

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
