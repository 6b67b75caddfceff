import { assertRoomInAccount } from '#shared/data/accounts/account-limits.ts'
import type { Transaction } from '#shared/data/database.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { resolveRules } from '#shared/data/tokens/rule-lists.ts'
import { type TokenEventType, tokenEvent } from '#shared/data/tokens/token-events.ts'
import {
  createToken as insertToken,
  lockToken,
  type NewToken,
  removeToken,
  replaceTokenValue,
  writeToken,
} from '#shared/data/tokens/tokens.ts'
import type { ValuesIn } from '#shared/domain/fields/field.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { foldTags } from '#shared/domain/tags.ts'
import type { ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import { AppError } from '#shared/errors.ts'
import { revokeToken } from '../../auth/revocation.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { TokenDeps } from './context.ts'

export type TokenBody = Omit<NewToken, 'id' | 'accountId' | 'now' | 'ruleIndexes'>

/**
 * Creates an API token. Its value is in this response, and cannot be read again (contract 2.6).
 * @throws MAX_TOKENS_EXCEEDED, and the errors of `resolveRules`
 */
export async function createToken(
  deps: TokenDeps,
  { principal, body }: { principal: UserPrincipal; body: TokenBody },
): Promise<{ token: ApiToken; value: string }> {
  const { accountId, actor, limits } = principal
  const now = deps.now()
  const [id, eventId] = [deps.newId(), deps.newId()]
  return announcing(deps).transaction(async (tx) => {
    await assertRoomInAccount(tx, { accountId, limit: 'maxTokens', added: 1, max: limits?.maxTokens ?? null })
    const rules = await resolveRules(tx, { accountId, rules: body.permissions })
    const created = await insertToken(tx, { ...body, ...rules, id, accountId, now })
    await insertEvents(tx, [tokenEvent('token-created', created.token, { id: eventId, actor, now })])
    return created
  })
}

export type TokenChanges = ValuesIn<typeof tokenFields, 'update'>

/** Changes the fields in the body (contract 2.6). @throws REQUESTED_ENTITY_NOT_FOUND, and the errors of `resolveRules` */
export async function updateToken(
  deps: TokenDeps,
  { body, ...request }: TokenRequest & { body: TokenChanges },
): Promise<ApiToken> {
  const { token } = await modifyToken(deps, request, {
    type: 'token-updated',
    async write(tx, before, now) {
      const { accountId } = before
      const token = {
        ...before,
        ...body,
        ...(body.permissions && (await resolveRules(tx, { accountId, rules: body.permissions }))),
        ...(body.tags && { tags: foldTags(body.tags) }),
        updatedAt: laterThan(before, now),
      }
      await writeToken(tx, token)
      return { token }
    },
  })
  return token
}

/**
 * Gives a token a new value, which is in this response and cannot be read again. The old value is rejected at once
 * (contract 2.6).
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
export function rotateToken(deps: TokenDeps, request: TokenRequest): Promise<{ token: ApiToken; value: string }> {
  return modifyToken(deps, request, {
    type: 'token-rotated',
    async write(tx, before, now) {
      const token = { ...before, updatedAt: laterThan(before, now) }
      await writeToken(tx, token)
      return { token, value: await replaceTokenValue(tx, { accountId: token.accountId, tokenId: token.id }) }
    },
  })
}

/** Deletes a token; it is rejected at once. @throws REQUESTED_ENTITY_NOT_FOUND */
export async function deleteToken(deps: TokenDeps, request: TokenRequest): Promise<void> {
  await modifyToken(deps, request, {
    type: 'token-deleted',
    async write(tx, token) {
      await removeToken(tx, { accountId: token.accountId, tokenId: token.id })
      return { token }
    },
  })
}

export type TokenRequest = { principal: UserPrincipal; tokenId: string }

/**
 * Changes or deletes an API token; `revocation.ts` says when the change applies on each gateway. Changes of one token happen
 * one after the other.
 * @param change.write writes the change, and returns the token for the event log and anything else that the caller needs
 * @returns the result of `change.write`
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
async function modifyToken<T extends { token: ApiToken }>(
  deps: TokenDeps,
  { principal: { accountId, actor }, tokenId }: TokenRequest,
  change: { type: TokenEventType; write(tx: Transaction, before: ApiToken, now: number): Promise<T> },
): Promise<T> {
  const now = deps.now()
  const eventId = deps.newId()
  const { changed, hash } = await announcing(deps).transaction(async (tx) => {
    const before = await lockToken(tx, { accountId, tokenId })
    if (!before) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    const changed = await change.write(tx, before.token, now)
    await insertEvents(tx, [tokenEvent(change.type, changed.token, { id: eventId, actor, now })])
    return { changed, hash: before.hash }
  })
  revokeToken(deps, hash)
  return changed
}
