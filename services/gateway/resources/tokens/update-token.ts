import { withListIds } from '#shared/data/tokens/rule-lists.ts'
import { writeToken } from '#shared/data/tokens/tokens.ts'
import type { ValuesIn } from '#shared/domain/fields/field.ts'
import { foldTags } from '#shared/domain/tags.ts'
import type { ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import type { TokenDeps } from './context.ts'
import { modifyToken, type TokenRequest } from './modify-token.ts'

export type TokenChanges = ValuesIn<typeof tokenFields, 'update'>

/** Changes the fields in the body (contract 2.6). @throws REQUESTED_ENTITY_NOT_FOUND, what `withListIds` throws */
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
        ...(body.permissions && { permissions: await withListIds(tx, { accountId, rules: body.permissions }) }),
        ...(body.tags && { tags: foldTags(body.tags) }),
        updatedAt: now,
      }
      await writeToken(tx, token)
      return { token }
    },
  })
  return token
}
