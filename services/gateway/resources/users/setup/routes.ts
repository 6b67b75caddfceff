import Joi from 'joi'
import { sessionCookieFor } from '#services/gateway/auth/session-cookie.ts'
import { htmlType, pageHeaders } from '#services/gateway/http/responses/html-page.ts'
import { bytes, created } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { emailSchema, newPasswordSchema } from '#services/gateway/schemas/body-schemas.ts'
import { joi } from '#services/gateway/schemas/joi.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { userFields } from '#shared/domain/user/fields.ts'
import { shownToken } from '../../tokens/token-json.ts'
import type { AccountDeps } from '../context.ts'
import { setCookie, setupSchema } from '../schemas.ts'
import { toUserAndAccountJson } from '../serialize.ts'
import { setupPage } from './page.ts'
import { setUp } from './set-up.ts'

const page = setupPage()

/** Body of POST /auth/setup. The token may have any form: an impossible one gets the same response as an unknown one. */
const setupBody = joi.object<{ setupToken: string; email: string; password: string }>({
  setupToken: Joi.string().allow('').max(1_024).required().description('The token in the set-up link.'),
  email: emailSchema().required().description(userFields.email.about),
  password: newPasswordSchema().required(),
})

/** The set-up of the first user with the link that `listd start` prints (contract 2.6). */
export const setupRoutes: readonly Route<AccountDeps>[] = [
  route({
    method: 'GET',
    path: '/setup',
    operationId: 'getSetupPage',
    about: 'The page that sets up the first user.',
    notes: 'The token is in the fragment of the link, which browsers do not send.',
    response: { 200: { type: 'string', contentMediaType: 'text/html' } },
    headers: { response: pageHeaders(page) },
    permission: 'public',
    // The page is always the same, so it does not reveal whether there is a user.
    handle: async () => bytes(page.html, { type: htmlType, headers: page.headers }),
  }),
  route({
    method: 'POST',
    path: '/auth/setup',
    operationId: 'setUp',
    about: 'Sets up the first user, with the link that `listd start` prints, and creates the first API token.',
    notes: 'The token of the link works once, for 30 minutes, and only while there is no user.',
    response: { 201: setupSchema },
    errors: ['IDENTITY_TOKEN_INVALID', 'USER_NOT_AUTHENTICATED'],
    headers: { response: setCookie },
    permission: 'public',
    body: { maxBytes: bodyBytes.short, schema: setupBody },
    async handle({ id, body, secure }, deps) {
      const { token, expiresAt, apiToken, value, ...user } = await setUp(deps, { ...body, requestId: id })
      const cookie = sessionCookieFor({ token, secondsLeft: Math.floor((expiresAt - deps.now()) / 1000), secure })
      const session = { ...toUserAndAccountJson(user), token, expiresAt: isoTime(expiresAt) }
      const answer = { ...session, apiToken: { ...(await shownToken(deps.db, apiToken)), value } }
      return created(answer, { 'set-cookie': cookie })
    },
  }),
]
