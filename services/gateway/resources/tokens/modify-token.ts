import type { Transaction } from '#shared/data/database.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { type TokenEventType, tokenEvent } from '#shared/data/tokens/token-events.ts'
import { lockToken } from '#shared/data/tokens/tokens.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { AppError } from '#shared/errors.ts'
import { revokeToken } from '../../auth/revocation.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { TokenDeps } from './context.ts'

export type TokenRequest = { principal: UserPrincipal; tokenId: string }

/**
 * Changes or deletes an API token; the change applies everywhere as `revocation.ts` says. Changes of one token are made one
 * after the other.
 * @param change.write writes the change. @returns what the caller needs of it, and the token for the event log
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
export async function modifyToken<T extends { token: ApiToken }>(
  deps: TokenDeps,
  { principal: { accountId, actor }, tokenId }: TokenRequest,
  change: { type: TokenEventType; write(tx: Transaction, before: ApiToken, now: number): Promise<T> },
): Promise<T> {
  const now = deps.now()
  const eventId = deps.newId()
  const { changed, hash } = await deps.db.transaction(async (tx) => {
    const before = await lockToken(tx, { accountId, tokenId })
    if (!before) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    const changed = await change.write(tx, before.token, now)
    await insertEvents(tx, [tokenEvent(change.type, changed.token, { id: eventId, actor, now })])
    return { changed, hash: before.hash }
  })
  revokeToken(deps, hash)
  return changed
}
