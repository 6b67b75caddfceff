import { readSessionPage, sessionOrders } from '#shared/data/users/sessions.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { endedSessionCookie, sessionCookieFor } from '../../auth/session-cookie.ts'
import type { DescribedRoute } from '../../request/described-route.ts'
import { getIdParam } from '../../request/id-param.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Response } from '../../request/route.ts'
import { parsePage, toPageJson } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import type { AccountDeps } from './context.ts'
import { getSignedIn } from './get-self.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { endOwnSession, endOwnSessions, getOwnSession } from './own-sessions.ts'
import {
  type LoginBody,
  loginBody,
  loginSchema,
  ownSessionsQuery,
  sessionSchema,
  setCookie,
  setCookieOfCurrent,
  signedInSchema,
  updateSelfBody,
} from './schemas.ts'
import { toSessionJson, toSignedInJson } from './serialize.ts'
import { type SelfBody, updateSelf } from './update-self.ts'

/** Signing users in and out, and the current one's own account (contract 2.6). */
export const authRoutes: readonly DescribedRoute<AccountDeps>[] = [
  {
    method: 'POST',
    path: '/auth/login',
    operationId: 'login',
    about: 'Signs a user in.',
    notes: 'The answer also sets the cookie `service_session` for browsers. Every failure has the same answer.',
    response: { 200: loginSchema },
    errors: ['USER_NOT_AUTHENTICATED', 'IDENTITY_TOO_MANY_ATTEMPTS'],
    headers: { response: setCookie },
    permission: 'public',
    body: { maxBytes: bodyBytes.short, schema: loginBody },
    handle: handleLogin,
  },
  // Anyone who has a session may end it, even one that has already ended: the handler reads the credential itself.
  {
    method: 'POST',
    path: '/auth/logout',
    operationId: 'logout',
    about: 'Ends the session of a user, even one that has already ended.',
    notes: 'The cookie ends too.',
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
    notes: 'A browser calls it to find out whether its cookie is still good.',
    response: { 200: signedInSchema },
    permission: 'user',
    handle: handleSelf,
  },
  {
    method: 'PUT',
    path: '/auth/self',
    operationId: 'updateSignedInUser',
    about: 'Changes the display name, email or password of the user; email and password need the current password.',
    notes: 'A new email or password ends the other sessions of the user.',
    response: { 200: signedInSchema },
    errors: ['IDENTITY_NOT_AUTHENTICATED', 'IDENTITY_TOO_MANY_ATTEMPTS', 'IDENTITY_UNABLE_TO_CREATE'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: updateSelfBody },
    handle: handleUpdateSelf,
  },
  {
    method: 'GET',
    path: '/auth/self/sessions',
    operationId: 'listOwnSessions',
    about: 'A page of the sessions of the user.',
    notes: '`current` marks the session of the request.',
    response: { 200: pageOf(sessionSchema) },
    permission: 'user',
    query: ownSessionsQuery,
    handle: handleSessions,
  },
  {
    method: 'DELETE',
    path: '/auth/self/sessions',
    operationId: 'endOwnSessions',
    about: 'Ends all sessions of the user, the current one too.',
    notes: 'The user has to sign in again on every device.',
    response: { 204: null },
    headers: { response: setCookie },
    permission: 'user',
    handle: handleEndSessions,
  },
  {
    method: 'GET',
    path: '/auth/self/sessions/{session}',
    operationId: 'getOwnSession',
    about: 'A session of the user.',
    notes: 'Only live sessions are found.',
    response: { 200: sessionSchema },
    permission: 'user',
    handle: handleSession,
  },
  {
    method: 'DELETE',
    path: '/auth/self/sessions/{session}',
    operationId: 'endOwnSession',
    about: 'Ends a session of the user.',
    notes: 'The session of the request can be ended too.',
    response: { 204: null },
    headers: { response: setCookieOfCurrent },
    permission: 'user',
    handle: handleEndSession,
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

async function handleUpdateSelf(request: ApiRequest, deps: AccountDeps): Promise<Response> {
  const { id: requestId, clientAddress } = request
  const principal = request.principal as UserPrincipal
  const update = { principal, body: request.body as SelfBody, clientAddress, requestId }
  return { status: 200, body: toSignedInJson(await updateSelf(deps, update)) }
}

async function handleSessions({ principal, query }: ApiRequest, deps: AccountDeps): Promise<Response> {
  const { userId, sessionId } = principal as UserPrincipal
  const { request } = parsePage(query, sessionOrders, {})
  const page = await readSessionPage(deps.db.long, { userId, now: deps.now() }, request)
  return { status: 200, body: toPageJson(page, (session) => toSessionJson(session, sessionId)) }
}

async function handleEndSessions({ principal, secure }: ApiRequest, deps: AccountDeps): Promise<Response> {
  await endOwnSessions(deps, principal as UserPrincipal)
  return { status: 204, headers: { 'set-cookie': endedSessionCookie(secure) } }
}

async function handleSession(request: ApiRequest, deps: AccountDeps): Promise<Response> {
  const asked = parseSession(request)
  return { status: 200, body: toSessionJson(await getOwnSession(deps, asked), asked.principal.sessionId) }
}

async function handleEndSession(request: ApiRequest, deps: AccountDeps): Promise<Response> {
  const asked = parseSession(request)
  await endOwnSession(deps, asked)
  const isCurrent = asked.sessionId === asked.principal.sessionId
  return { status: 204, ...(isCurrent && { headers: { 'set-cookie': endedSessionCookie(request.secure) } }) }
}

function parseSession(request: ApiRequest) {
  return { principal: request.principal as UserPrincipal, sessionId: getIdParam(request, 'session') }
}
