import { removeToken } from '#shared/data/tokens/tokens.ts'
import type { TokenDeps } from './context.ts'
import { modifyToken, type TokenRequest } from './modify-token.ts'

/** Deletes a token, which is refused at once. @throws REQUESTED_ENTITY_NOT_FOUND */
export async function deleteToken(deps: TokenDeps, request: TokenRequest): Promise<void> {
  await modifyToken(deps, request, {
    type: 'token-deleted',
    async write(tx, token) {
      await removeToken(tx, { accountId: token.accountId, tokenId: token.id })
      return { token }
    },
  })
}
