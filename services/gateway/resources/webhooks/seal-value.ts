import type { Transaction } from '#shared/data/database.ts'
import { lockSealingKey } from '#shared/data/secrets/sealing-key.ts'
import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { type FixedHeaders, serializeHeaders } from '#shared/domain/webhook/deliveries/headers.ts'
import { webhookHeadersBinding, webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { unavailable } from '#shared/errors.ts'
import type { WebhookDeps } from './context.ts'

type SealDeps = Pick<WebhookDeps, 'sealer' | 'log'>

/**
 * Seals the signing secret of a webhook with the database's current sealing key, which cannot change until the transaction ends.
 * @throws SERVICE_UNAVAILABLE when this process does not have that key
 */
export function sealSecret(
  deps: SealDeps,
  tx: Transaction,
  { secret, ...key }: WebhookKey & { secret: string },
): Promise<string> {
  return seal(deps, tx, { text: secret, binding: webhookSecretBinding(key) })
}

/** The same for the fixed headers of a webhook. @returns null if there are none. @throws SERVICE_UNAVAILABLE */
export async function sealHeaders(
  deps: SealDeps,
  tx: Transaction,
  { headers, ...key }: WebhookKey & { headers: FixedHeaders },
): Promise<string | null> {
  if (headers.length === 0) return null
  return seal(deps, tx, { text: serializeHeaders(headers), binding: webhookHeadersBinding(key) })
}

async function seal(
  { sealer, log }: SealDeps,
  tx: Transaction,
  { text, binding }: { text: string; binding: string },
): Promise<string> {
  const keyId = await lockSealingKey(tx)
  if (sealer.has(keyId)) return sealer.seal(text, binding, keyId)
  log('secrets.key_missing', { keyId })
  throw unavailable('this process does not have the sealing key')
}
