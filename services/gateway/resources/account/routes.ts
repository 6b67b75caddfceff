import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { endedSessionCookie, sessionCookieFor } from '../../auth/session-cookie.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Response, Route } from '../../request/route.ts'
import type { AccountDeps } from './context.ts'
import { getSignedIn } from './get-self.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { type LoginBody, loginBody } from './schemas.ts'
import { toSignedInJson } from './serialize.ts'

/** Signing users in and out (contract 2.6). */
export const authRoutes: readonly Route<AccountDeps>[] = [
  {
    method: 'POST',
    path: '/auth/login',
    permission: 'public',
    body: { maxBytes: bodyBytes.other, schema: loginBody },
    handle: handleLogin,
  },
  // Anyone who has a session may end it, even one that has already ended: the handler reads the credential itself.
  { method: 'POST', path: '/auth/logout', permission: 'public', handle: handleLogout },
  { method: 'GET', path: '/auth/self', permission: 'user', handle: handleSelf },
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
