import { tokenOrders } from '#shared/data/tokens/columns.ts'
import { readTokenPage } from '#shared/data/tokens/token-page.ts'
import { findToken } from '#shared/data/tokens/tokens.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { AppError } from '#shared/errors.ts'
import { getIdParam } from '../../request/id-param.ts'
import { created, none, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { parsePage, toPageJson } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import type { TokenDeps } from './context.ts'
import { getOwnToken } from './get-self.ts'
import {
  createTokenBody,
  listTokensQuery,
  ownTokenSchema,
  tokenSchema,
  tokenWithValueSchema,
  updateTokenBody,
} from './schemas.ts'
import { shownToken, withPathNames } from './token-json.ts'
import { createToken, deleteToken, rotateToken, updateToken } from './tokens.ts'

/** API tokens, in user mode; a token sees itself only (contract 2.6). */
export const tokenRoutes: readonly Route<TokenDeps>[] = [
  route({
    method: 'GET',
    path: '/tokens/self',
    operationId: 'getOwnToken',
    about: 'The API token of the request, the price plan of its account and its usage.',
    notes: 'In user mode there is no such token, and the answer is 404.',
    response: { 200: ownTokenSchema },
    errors: ['REQUESTED_ENTITY_NOT_FOUND'],
    permission: 'authenticated',
    async handle({ principal }, deps) {
      return ok(await getOwnToken(deps, principal))
    },
  }),
  route({
    method: 'POST',
    path: '/tokens',
    operationId: 'createToken',
    about: 'Creates an API token; the response has its value.',
    notes: 'Keep the value: no other answer has it. A token without rules may do nothing.',
    response: { 201: tokenWithValueSchema },
    errors: ['MAX_TOKENS_EXCEEDED'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: createTokenBody },
    async handle({ principal, body }, deps) {
      const { token, value } = await createToken(deps, { principal, body })
      return created({ ...(await shownToken(deps.db, token)), value })
    },
  }),
  route({
    method: 'GET',
    path: '/tokens',
    operationId: 'listTokens',
    about: 'A page of the API tokens of the account.',
    notes: 'The values of tokens are never included.',
    response: { 200: pageOf(tokenSchema) },
    permission: 'user',
    query: listTokensQuery,
    async handle({ principal, query }, deps) {
      const { filters, request } = parsePage(query, tokenOrders, tokenFields)
      const page = await readTokenPage(deps.db.long, { accountId: principal.accountId, filters }, request)
      return ok(toPageJson(page, await withPathNames(deps.db, principal, page.data)))
    },
  }),
  route({
    method: 'GET',
    path: '/tokens/{token}',
    operationId: 'getToken',
    about: 'An API token.',
    notes: 'The value of the token is not included.',
    response: { 200: tokenSchema },
    permission: 'user',
    async handle({ principal, params }, deps) {
      const token = await findToken(deps.db, { accountId: principal.accountId, tokenId: getIdParam(params.token) })
      if (!token) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
      return ok(await shownToken(deps.db, token))
    },
  }),
  route({
    method: 'PUT',
    path: '/tokens/{token}',
    operationId: 'updateToken',
    about: 'Changes an API token; what it may no longer do ends at once.',
    notes:
      'Fields that the body does not name stay as they are. On other gateways the change applies within 5 seconds.',
    response: { 200: tokenSchema },
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: updateTokenBody },
    async handle({ principal, params, body }, deps) {
      const token = await updateToken(deps, { principal, tokenId: getIdParam(params.token), body })
      return ok(await shownToken(deps.db, token))
    },
  }),
  route({
    method: 'DELETE',
    path: '/tokens/{token}',
    operationId: 'deleteToken',
    about: 'Deletes an API token, which is rejected at once.',
    notes: 'On other gateways it is rejected within 5 seconds.',
    response: { 204: null },
    permission: 'user',
    async handle({ principal, params }, deps) {
      await deleteToken(deps, { principal, tokenId: getIdParam(params.token) })
      return none()
    },
  }),
  route({
    method: 'POST',
    path: '/tokens/{token}/rotate',
    operationId: 'rotateToken',
    about: 'Replaces the value of an API token; the response has the new one, and the old one is rejected at once.',
    notes: 'Everything else about the token stays as it is.',
    response: { 200: tokenWithValueSchema },
    permission: 'user',
    async handle({ principal, params }, deps) {
      const { token, value } = await rotateToken(deps, { principal, tokenId: getIdParam(params.token) })
      return ok({ ...(await shownToken(deps.db, token)), value })
    },
  }),
]
