import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { toTokenJson } from '#shared/domain/token/fields.ts'
import { sessionCookieFor } from '../../../auth/session-cookie.ts'
import { pageHeaders } from '../../../http/html-page.ts'
import type { DescribedRoute } from '../../../request/described-route.ts'
import type { ApiRequest, Response } from '../../../request/route.ts'
import type { AccountDeps } from '../context.ts'
import { setCookie, setupSchema } from '../schemas.ts'
import { toSignedInJson } from '../serialize.ts'
import { setupPage } from './page.ts'
import { type SetupBody, setupBody } from './schemas.ts'
import { setUp } from './set-up.ts'

const page = setupPage()

/** Setting up the first user with the link that `listd start` prints (contract 2.6). */
export const setupRoutes: readonly DescribedRoute<AccountDeps>[] = [
  {
    method: 'GET',
    path: '/setup',
    operationId: 'getSetupPage',
    about: 'The page with which the first user is set up.',
    notes: 'The token is in the fragment of the link, which browsers do not send.',
    response: { 200: { type: 'string', contentMediaType: 'text/html' } },
    headers: { response: pageHeaders(page) },
    permission: 'public',
    handle: handlePage,
  },
  {
    method: 'POST',
    path: '/auth/setup',
    operationId: 'setUp',
    about: 'Sets the first user up, with the link that `listd start` prints, and makes the first API token.',
    notes: 'The token of the link works once, for 30 minutes, and only while there is no user.',
    response: { 201: setupSchema },
    errors: ['IDENTITY_TOKEN_INVALID', 'USER_NOT_AUTHENTICATED'],
    headers: { response: setCookie },
    permission: 'public',
    body: { maxBytes: bodyBytes.short, schema: setupBody },
    handle: handleSetup,
  },
]

/** Always the same, so that it does not reveal whether there is a user. */
async function handlePage(): Promise<Response> {
  return { status: 200, ...page }
}

async function handleSetup({ id: requestId, body, secure }: ApiRequest, deps: AccountDeps): Promise<Response> {
  const result = await setUp(deps, { ...(body as SetupBody), requestId })
  const { token, expiresAt, apiToken, value } = result
  const cookie = sessionCookieFor({ token, secondsLeft: Math.floor((expiresAt - deps.now()) / 1000), secure })
  return {
    status: 201,
    body: {
      ...toSignedInJson(result),
      token,
      expiresAt: isoTime(expiresAt),
      apiToken: { ...toTokenJson(apiToken), value },
    },
    headers: { 'set-cookie': cookie },
  }
}
