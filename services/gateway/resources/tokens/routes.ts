import { tokenOrders } from '#shared/data/accounts/token-columns.ts'
import { readTokenPage, type TokenSet } from '#shared/data/accounts/token-page.ts'
import { findToken } from '#shared/data/accounts/tokens.ts'
import { isId } from '#shared/domain/id.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { toTokenJson } from '#shared/domain/token/fields.ts'
import { AppError } from '#shared/errors.ts'
import { parsePage, toPageJson } from '../../http/page-schemas.ts'
import type { AuthenticatedPrincipal, UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Route } from '../../request/route.ts'
import type { TokenDeps } from './context.ts'
import { createToken, type TokenBody } from './create-token.ts'
import { deleteToken } from './delete-token.ts'
import { getOwnToken } from './get-self.ts'
import type { TokenRequest } from './modify-token.ts'
import { rotateToken } from './rotate-token.ts'
import { createTokenBody, listTokensQuery, updateTokenBody } from './schemas.ts'
import { type TokenChanges, updateToken } from './update-token.ts'

/** API tokens, in user mode; a token sees itself only (contract 2.6). */
export const tokenRoutes: readonly Route<TokenDeps>[] = [
  {
    method: 'GET',
    path: '/tokens/self',
    permission: 'authenticated',
    async handle({ principal }, deps) {
      return { status: 200, body: await getOwnToken(deps, principal as AuthenticatedPrincipal) }
    },
  },
  {
    method: 'POST',
    path: '/tokens',
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: createTokenBody },
    async handle({ principal, body }, deps) {
      const input = { principal: principal as UserPrincipal, body: body as TokenBody }
      const { token, value } = await createToken(deps, input)
      return { status: 201, body: { ...toTokenJson(token), value } }
    },
  },
  {
    method: 'GET',
    path: '/tokens',
    permission: 'user',
    query: listTokensQuery,
    async handle({ principal, query }, deps) {
      const { accountId } = principal as UserPrincipal
      const { filters, request } = parsePage(query, tokenOrders)
      const page = await readTokenPage(deps.db.long, { accountId, filters: filters as TokenSet['filters'] }, request)
      return { status: 200, body: toPageJson(page, toTokenJson) }
    },
  },
  {
    method: 'GET',
    path: '/tokens/{token}',
    permission: 'user',
    async handle(request, deps) {
      const { principal, tokenId } = parseParams(request)
      const token = await findToken(deps.db, { accountId: principal.accountId, tokenId })
      if (!token) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
      return { status: 200, body: toTokenJson(token) }
    },
  },
  {
    method: 'PUT',
    path: '/tokens/{token}',
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: updateTokenBody },
    async handle(request, deps) {
      const token = await updateToken(deps, { ...parseParams(request), body: request.body as TokenChanges })
      return { status: 200, body: toTokenJson(token) }
    },
  },
  {
    method: 'DELETE',
    path: '/tokens/{token}',
    permission: 'user',
    async handle(request, deps) {
      await deleteToken(deps, parseParams(request))
      return { status: 204 }
    },
  },
  {
    method: 'POST',
    path: '/tokens/{token}/rotate',
    permission: 'user',
    async handle(request, deps) {
      const { token, value } = await rotateToken(deps, parseParams(request))
      return { status: 200, body: { ...toTokenJson(token), value } }
    },
  },
]

/** The principal and the token of a request. @throws REQUESTED_ENTITY_NOT_FOUND for text that is not an id */
function parseParams({ principal, params: { token = '' } }: ApiRequest): TokenRequest {
  if (!isId(token)) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return { principal: principal as UserPrincipal, tokenId: token }
}
