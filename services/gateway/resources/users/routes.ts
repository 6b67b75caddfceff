import { readSessionPage, sessionOrders } from '#shared/data/users/sessions.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import { endedSessionCookie, sessionCookieFor } from '../../auth/session-cookie.ts'
import { getIdParam } from '../../request/id-param.ts'
import { json, none, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { parsePage, toPageJson } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import type { AccountDeps } from './context.ts'
import { getSignedIn, updateSelf } from './own-user.ts'
import { getPreferences, putPreferences } from './preferences.ts'
import {
  loginBody,
  loginSchema,
  nobodySchema,
  ownSessionsQuery,
  preferencesSchema,
  selfQuery,
  sessionSchema,
  setCookie,
  setCookieOfCurrent,
  signedInSchema,
  updateSelfBody,
} from './schemas.ts'
import { toSessionJson, toSignedInJson, toUserAndAccountJson } from './serialize.ts'
import { endOwnSession, endOwnSessions, getOwnSession, login, logout } from './sessions.ts'

/** Sign-in and sign-out of users, and the signed-in user with preferences and sessions (contract 2.6). */
export const authRoutes: readonly Route<AccountDeps>[] = [
  route({
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
    async handle({ id, body, clientAddress, secure }, deps) {
      const { token, expiresAt, ...user } = await login(deps, { ...body, clientAddress, requestId: id })
      const cookie = sessionCookieFor({ token, secondsLeft: Math.floor((expiresAt - deps.now()) / 1000), secure })
      const signedIn = { ...toUserAndAccountJson(user), token, expiresAt: isoTime(expiresAt) }
      return ok(signedIn, { 'set-cookie': cookie })
    },
  }),
  // Anyone who has a session may end it, even one that has already ended: the handler reads the credential itself.
  route({
    method: 'POST',
    path: '/auth/logout',
    operationId: 'logout',
    about: 'Ends the session of a user; succeeds even if it has already ended.',
    notes: 'Also removes the cookie.',
    session: 'user',
    response: { 204: null },
    errors: ['USER_NOT_AUTHENTICATED', 'USER_MODE_REQUIRED', 'CROSS_SITE_REQUEST'],
    headers: { response: setCookie },
    permission: 'public',
    async handle({ clientAddress: address, secure, headers }, deps) {
      await logout(deps, deps.auth.sessionTokenHash({ method: 'POST', headers }, { address, secure }))
      return none({ 'set-cookie': endedSessionCookie(secure) })
    },
  }),
  route({
    method: 'GET',
    path: '/auth/self',
    operationId: 'getSignedInUser',
    about: 'The user who is signed in, the account with its price plan and usage, and the version of the service.',
    notes: 'A browser calls it to find out whether its cookie is still valid.',
    response: { 200: { anyOf: [signedInSchema, nobodySchema] } },
    permission: 'user or nobody',
    query: selfQuery,
    async handle({ principal }, deps) {
      if (principal.mode === 'anonymous') return ok({ user: null })
      return ok(await toSignedInJson(await getSignedIn(deps, principal), deps, principal))
    },
  }),
  route({
    method: 'PUT',
    path: '/auth/self',
    operationId: 'updateSignedInUser',
    about: 'Changes the display name, email or password of the user; email and password need the current password.',
    notes: 'A new email or password ends the other sessions of the user.',
    response: { 200: signedInSchema },
    errors: ['IDENTITY_NOT_AUTHENTICATED', 'IDENTITY_TOO_MANY_ATTEMPTS', 'IDENTITY_UNABLE_TO_CREATE'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: updateSelfBody },
    async handle({ id, principal, body, clientAddress }, deps) {
      const updated = await updateSelf(deps, { principal, body, clientAddress, requestId: id })
      return ok(await toSignedInJson(updated, deps, principal))
    },
  }),
  route({
    method: 'GET',
    path: '/auth/self/preferences',
    operationId: 'getPreferences',
    about: 'The preferences of the user, an object that the dashboard keeps.',
    notes: 'The object is empty until something is stored.',
    response: { 200: preferencesSchema },
    permission: 'user',
    async handle({ principal }, deps) {
      return json(await getPreferences(deps, principal))
    },
  }),
  route({
    method: 'PUT',
    path: '/auth/self/preferences',
    operationId: 'replacePreferences',
    about: 'Replaces the preferences of the user with the object in the body.',
    notes: 'The service does not interpret it. The last write wins.',
    response: { 200: preferencesSchema },
    permission: 'user',
    body: { maxBytes: bodyBytes.preferences, anyJson: preferencesSchema },
    async handle({ principal, body, bodyText }, deps) {
      return json(await putPreferences(deps, { principal, body, text: bodyText }))
    },
  }),
  route({
    method: 'GET',
    path: '/auth/self/sessions',
    operationId: 'listOwnSessions',
    about: 'A page of the sessions of the user.',
    notes: '`current` marks the session of the request.',
    response: { 200: pageOf(sessionSchema) },
    permission: 'user',
    query: ownSessionsQuery,
    async handle({ principal, query }, deps) {
      const { userId, sessionId } = principal
      const { request } = parsePage(query, sessionOrders, {})
      const page = await readSessionPage(deps.db.long, { userId, now: deps.now() }, request)
      return ok(toPageJson(page, (session) => toSessionJson(session, sessionId)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/auth/self/sessions',
    operationId: 'endOwnSessions',
    about: 'Ends all sessions of the user, the current one too.',
    notes: 'The user has to sign in again on every device.',
    response: { 204: null },
    headers: { response: setCookie },
    permission: 'user',
    async handle({ principal, secure }, deps) {
      await endOwnSessions(deps, principal)
      return none({ 'set-cookie': endedSessionCookie(secure) })
    },
  }),
  route({
    method: 'GET',
    path: '/auth/self/sessions/{session}',
    operationId: 'getOwnSession',
    about: 'A session of the user.',
    notes: 'Only live sessions are found.',
    response: { 200: sessionSchema },
    permission: 'user',
    async handle({ principal, params }, deps) {
      const session = await getOwnSession(deps, { principal, sessionId: getIdParam(params.session) })
      return ok(toSessionJson(session, principal.sessionId))
    },
  }),
  route({
    method: 'DELETE',
    path: '/auth/self/sessions/{session}',
    operationId: 'endOwnSession',
    about: 'Ends a session of the user.',
    notes: 'The session of the request can be ended too.',
    response: { 204: null },
    headers: { response: setCookieOfCurrent },
    permission: 'user',
    async handle({ principal, params, secure }, deps) {
      const sessionId = getIdParam(params.session)
      await endOwnSession(deps, { principal, sessionId })
      const isCurrent = sessionId === principal.sessionId
      return none(isCurrent ? { 'set-cookie': endedSessionCookie(secure) } : {})
    },
  }),
]
