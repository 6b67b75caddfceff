import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { endedSessionCookie, sessionCookieFor } from '../../auth/session-cookie.ts'
import type { DescribedRoute } from '../../request/described-route.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Response } from '../../request/route.ts'
import type { AccountDeps } from './context.ts'
import { getSignedIn } from './get-self.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { type LoginBody, loginBody, loginSchema, setCookie, signedInSchema } from './schemas.ts'
import { toSignedInJson } from './serialize.ts'

/** Signing users in and out (contract 2.6). */
export const authRoutes: readonly DescribedRoute<AccountDeps>[] = [
  {
    method: 'POST',
    path: '/auth/login',
    operationId: 'login',
    about: 'Signs a user in.',
    response: { 200: loginSchema },
    errors: ['USER_NOT_AUTHENTICATED', 'IDENTITY_TOO_MANY_ATTEMPTS'],
    headers: { response: setCookie },
    permission: 'public',
    body: { maxBytes: bodyBytes.other, schema: loginBody },
    handle: handleLogin,
  },
  // Anyone who has a session may end it, even one that has already ended: the handler reads the credential itself.
  {
    method: 'POST',
    path: '/auth/logout',
    operationId: 'logout',
    about: 'Ends the session of a user, even one that has already ended.',
    session: 'user',
    response: { 204: null },
    errors: ['USER_NOT_AUTHENTICATED', 'USER_MODE_REQUIRED', 'CROSS_SITE_REQUEST'],
    headers: { response: setCookie },
    permission: 'public',
    handle: handleLogout,
  },
  {
    method: 'GET',
    path: '/auth/self',
    operationId: 'getSignedInUser',
    about: 'The user who is signed in, and the account.',
    response: { 200: signedInSchema },
    permission: 'user',
    handle: handleSelf,
  },
]

async function handleLogin(request: ApiRequest, deps: AccountDeps): Promise<Response> {
  const { id: requestId, clientAddress, secure } = request
  const { token, expiresAt, ...user } = await login(deps, { ...(request.body as LoginBody), clientAddress, requestId })
  const cookie = sessionCookieFor({ token, secondsLeft: Math.floor((expiresAt - deps.now()) / 1000), secure })
  const body = { ...toSignedInJson(user), token, expiresAt: isoTime(expiresAt) }
  return { status: 200, body, headers: { 'set-cookie': cookie } }
}

async function handleLogout(request: ApiRequest, deps: AccountDeps): Promise<Response> {
  const { clientAddress: address, secure, headers } = request
  await logout(deps, deps.auth.sessionTokenHash({ method: 'POST', headers }, { address, secure }))
  return { status: 204, headers: { 'set-cookie': endedSessionCookie(secure) } }
}

async function handleSelf({ principal }: ApiRequest, deps: AccountDeps): Promise<Response> {
  return { status: 200, body: toSignedInJson(await getSignedIn(deps, principal as UserPrincipal)) }
}
