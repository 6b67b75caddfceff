import { assertRoomInAccount } from '#shared/data/accounts/account-limits.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { withListIds } from '#shared/data/tokens/rule-lists.ts'
import { tokenEvent } from '#shared/data/tokens/token-events.ts'
import { createToken as insertToken, type NewToken } from '#shared/data/tokens/tokens.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { TokenDeps } from './context.ts'

export type TokenBody = Omit<NewToken, 'id' | 'accountId' | 'now'>

/**
 * Creates an API token. Its value is in this response, and cannot be read again (contract 2.6).
 * @throws MAX_TOKENS_EXCEEDED, what `withListIds` throws
 */
export async function createToken(
  deps: TokenDeps,
  { principal, body }: { principal: UserPrincipal; body: TokenBody },
): Promise<{ token: ApiToken; value: string }> {
  const { accountId, actor, limits } = principal
  const now = deps.now()
  const [id, eventId] = [deps.newId(), deps.newId()]
  return deps.db.transaction(async (tx) => {
    await assertRoomInAccount(tx, { accountId, limit: 'maxTokens', added: 1, max: limits?.maxTokens ?? null })
    const permissions = await withListIds(tx, { accountId, rules: body.permissions })
    const created = await insertToken(tx, { ...body, permissions, id, accountId, now })
    await insertEvents(tx, [tokenEvent('token-created', created.token, { id: eventId, actor, now })])
    return created
  })
}
