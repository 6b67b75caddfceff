import { LRUCache } from 'lru-cache'
import { type FixedHeaders, parseHeaders } from '#shared/domain/webhook/deliveries/headers.ts'
import { webhookHeadersBinding, webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import type { Sealer } from './seal.ts'

/** Opened texts by binding and sealed text: opening one costs as much as a signature. */
const cache = new LRUCache<string, string>({ max: 2_000 })

/** The sealed signing secrets of a webhook; the one before is null where it is not valid any more. */
export type SealedSecrets = { accountId: string; webhookId: string; secret: string; previousSecret: string | null }
/** The same, opened. */
export type OpenSecrets = { secret: string; previousSecret: string | null }

/**
 * The signing secrets of a webhook in plain text, which exists only in this process's memory and only for sending.
 * @param onUnopened called with the reason when the replaced secret cannot be opened, which is left out then: a webhook whose lost
 * secret was replaced must not wait for a day
 * @throws Error when the current secret cannot be opened
 */
export function openSecrets(
  sealer: Pick<Sealer, 'open'>,
  sealed: SealedSecrets,
  onUnopened: (error: unknown) => void = () => {},
): OpenSecrets {
  const binding = webhookSecretBinding(sealed)
  const secret = open(sealer, sealed.secret, binding)
  if (sealed.previousSecret === null) return { secret, previousSecret: null }
  try {
    return { secret, previousSecret: open(sealer, sealed.previousSecret, binding) }
  } catch (error) {
    onUnopened(error)
    return { secret, previousSecret: null }
  }
}

/** The fixed headers of a webhook in plain text, for sending alone; null are none. @throws Error when they cannot be opened */
export function openHeaders(
  sealer: Pick<Sealer, 'open'>,
  { headers, ...key }: { accountId: string; webhookId: string; headers: string | null },
): FixedHeaders {
  return headers === null ? [] : parseHeaders(open(sealer, headers, webhookHeadersBinding(key)))
}

function open(sealer: Pick<Sealer, 'open'>, sealed: string, binding: string): string {
  const key = `${binding} ${sealed}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const secret = sealer.open(sealed, binding)
  cache.set(key, secret)
  return secret
}
