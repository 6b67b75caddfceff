import type { Transaction } from '#shared/data/database.ts'
import { lockSealingKey } from '#shared/data/secrets/sealing-key.ts'
import type { WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { unavailable } from '#shared/errors.ts'
import type { WebhookDeps } from './context.ts'

/**
 * Seals a signing secret for its webhook with the key that seals in this database, which stays that key until the transaction ends.
 * @throws SERVICE_UNAVAILABLE when this process does not have that key
 */
export async function sealSecret(
  { sealer, log }: Pick<WebhookDeps, 'sealer' | 'log'>,
  tx: Transaction,
  { secret, ...key }: WebhookKey & { secret: string },
): Promise<string> {
  const keyId = await lockSealingKey(tx)
  if (sealer.has(keyId)) return sealer.seal(secret, webhookSecretBinding(key), keyId)
  log('secrets.key_missing', { keyId })
  throw unavailable('this process does not have the key that seals')
}
