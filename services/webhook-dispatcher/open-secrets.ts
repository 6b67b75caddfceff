import type { Sealer } from '#shared/crypto/seal.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'

/** Opened secrets are cached: opening one costs as much as a signature. */
const maxCached = 2_000
const cache = new Map<string, string>()

/** The signing secrets of a claim in plain text, which exists only in this process's memory and only for sending. */
export function openSecrets(sealer: Sealer, claim: Claim): { secret: string; previousSecret: string | null } {
  const binding = webhookSecretBinding(claim)
  return {
    secret: open(sealer, claim.secret, binding),
    previousSecret: claim.previousSecret === null ? null : open(sealer, claim.previousSecret, binding),
  }
}

function open(sealer: Sealer, sealed: string, binding: string): string {
  const cached = cache.get(sealed)
  if (cached !== undefined) return cached
  const secret = sealer.open(sealed, binding)
  if (cache.size >= maxCached) cache.clear()
  cache.set(sealed, secret)
  return secret
}
