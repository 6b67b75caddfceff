import { type OpenSecrets, openSecrets } from '#shared/crypto/webhook-secrets.ts'
import { findSecrets, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { SigningDeps } from './context.ts'

/**
 * The secrets that sign a webhook's deliveries, in plain text: only in memory.
 * @throws REQUESTED_ENTITY_NOT_FOUND; SERVICE_UNAVAILABLE when this process has no key that opens the secret
 */
export async function openedSecrets(
  { db, sealer }: Pick<SigningDeps, 'db' | 'sealer'>,
  key: WebhookKey,
): Promise<OpenSecrets> {
  const sealed = await findSecrets(db, key)
  if (!sealed) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  try {
    return openSecrets(sealer, { ...key, ...sealed })
  } catch (error) {
    throw unavailable(`the signing secret cannot be opened: ${(error as Error).message}`)
  }
}
