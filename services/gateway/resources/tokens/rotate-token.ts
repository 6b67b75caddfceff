import { replaceTokenValue, writeToken } from '#shared/data/tokens/tokens.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import type { TokenDeps } from './context.ts'
import { modifyToken, type TokenRequest } from './modify-token.ts'

/**
 * Gives a token another value, which is in this response and cannot be read again; the one before is refused at once
 * (contract 2.6).
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
export function rotateToken(deps: TokenDeps, request: TokenRequest): Promise<{ token: ApiToken; value: string }> {
  return modifyToken(deps, request, {
    type: 'token-rotated',
    async write(tx, before, now) {
      const token = { ...before, updatedAt: now }
      await writeToken(tx, token)
      return { token, value: await replaceTokenValue(tx, { accountId: token.accountId, tokenId: token.id }) }
    },
  })
}
