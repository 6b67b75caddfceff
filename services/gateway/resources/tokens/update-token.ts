import { writeToken } from '#shared/data/tokens/tokens.ts'
import type { ValuesIn } from '#shared/domain/fields/field.ts'
import { foldTags } from '#shared/domain/tags.ts'
import type { ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import type { TokenDeps } from './context.ts'
import { modifyToken, type TokenRequest } from './modify-token.ts'

export type TokenChanges = ValuesIn<typeof tokenFields, 'update'>

/** Changes the fields in the body (contract 2.6). @throws REQUESTED_ENTITY_NOT_FOUND */
export async function updateToken(
  deps: TokenDeps,
  { body, ...request }: TokenRequest & { body: TokenChanges },
): Promise<ApiToken> {
  const { token } = await modifyToken(deps, request, {
    type: 'token-updated',
    async write(tx, before, now) {
      const token = { ...before, ...body, ...(body.tags && { tags: foldTags(body.tags) }), updatedAt: now }
      await writeToken(tx, token)
      return { token }
    },
  })
  return token
}
