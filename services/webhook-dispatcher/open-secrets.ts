import type { Sealer } from '#shared/crypto/seal.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'

/** Opened secrets are kept for the webhooks in service: opening one costs as much as a signature. */
const maxKept = 2_000
const opened = new Map<string, string>()

/** The signing secrets of a claim, in the clear: only in this process's memory, and only for sending. */
export function openSecrets(sealer: Sealer, claim: Claim): { secret: string; previousSecret: string | null } {
  const binding = webhookSecretBinding(claim)
  return {
    secret: open(sealer, claim.secret, binding),
    previousSecret: claim.previousSecret === null ? null : open(sealer, claim.previousSecret, binding),
  }
}

function open(sealer: Sealer, sealed: string, binding: string): string {
  const known = opened.get(sealed)
  if (known !== undefined) return known
  const secret = sealer.open(sealed, binding)
  if (opened.size >= maxKept) opened.clear()
  opened.set(sealed, secret)
  return secret
}
