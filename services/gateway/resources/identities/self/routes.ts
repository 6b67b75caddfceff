import { getIdParam } from '#services/gateway/request/id-param.ts'
import { none, ok } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { parsePage, toPageJson } from '#services/gateway/schemas/page-schemas.ts'
import { pageOf } from '#services/gateway/schemas/response-schemas.ts'
import { identitySessionOrders, type OwnSession } from '#shared/data/identities/identity-session-page.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import type { IdentityDeps } from '../context.ts'
import { getOwnIdentity, ownIdentityJson } from '../get-self.ts'
import { ownIdentitySchema } from '../schemas.ts'
import { endIdentitySession, endIdentitySessions } from '../sign-in/logout.ts'
import { actingIdentity } from './acting-identity.ts'
import { deleteSelf } from './delete-self.ts'
import { identitySessionSchema, listSessionsQuery, updateSelfBody } from './schemas.ts'
import { getOwnSession, listOwnSessions } from './sessions.ts'
import { updateSelf } from './update-self.ts'

/** What an identity can see and change of itself (contract 2.5). */
export const selfRoutes: readonly Route<IdentityDeps>[] = [
  route({
    method: 'GET',
    path: '/identities/self',
    operationId: 'getOwnIdentity',
    about: 'The identity that is signed in.',
    notes: 'The answer includes the email and the number of live sessions, which others do not see.',
    session: 'identity',
    response: { 200: ownIdentitySchema },
    permission: 'authenticated',
    async handle(request, deps) {
      return ok(ownIdentityJson(await getOwnIdentity(deps, actingIdentity(request))))
    },
  }),
  route({
    method: 'PUT',
    path: '/identities/self',
    operationId: 'updateOwnIdentity',
    about: 'Changes the identity that is signed in; email and password need the current password.',
    notes: 'A new email or password needs `currentPassword`. A new password ends the other sessions.',
    session: 'identity',
    response: { 200: ownIdentitySchema },
    errors: ['IDENTITY_EMAIL_REQUIRED', 'IDENTITY_UNABLE_TO_CREATE', 'IDENTITY_TOO_MANY_ATTEMPTS'],
    permission: 'authenticated',
    body: { maxBytes: bodyBytes.other, schema: updateSelfBody },
    async handle(request, deps) {
      const { id: requestId, clientAddress, body } = request
      const updated = await updateSelf(deps, { acting: actingIdentity(request), body, clientAddress, requestId })
      return ok(ownIdentityJson(updated))
    },
  }),
  route({
    method: 'DELETE',
    path: '/identities/self',
    operationId: 'deleteOwnIdentity',
    about: 'Deletes the identity that is signed in; its items stay, without an owner.',
    notes: 'The `identity` of its items becomes null.',
    session: 'identity',
    response: { 204: null },
    permission: 'authenticated',
    async handle(request, deps) {
      await deleteSelf(deps, actingIdentity(request))
      return none()
    },
  }),
  route({
    method: 'GET',
    path: '/identities/self/sessions',
    operationId: 'listOwnIdentitySessions',
    about: 'A page of the sessions of the identity.',
    notes: '`current` marks the session of the request.',
    session: 'identity',
    response: { 200: pageOf(identitySessionSchema) },
    permission: 'authenticated',
    query: listSessionsQuery,
    async handle(request, deps) {
      const acting = actingIdentity(request)
      const { request: wanted } = parsePage(request.query, identitySessionOrders, {})
      const page = await listOwnSessions(deps, acting, wanted)
      return ok(toPageJson(page, (session) => toSessionJson(session, acting.sessionHash)))
    },
  }),
  route({
    method: 'DELETE',
    path: '/identities/self/sessions',
    operationId: 'endOwnIdentitySessions',
    about: 'Ends all sessions of the identity, the current one too.',
    notes: 'The identity has to sign in again on every device.',
    session: 'identity',
    response: { 204: null },
    permission: 'authenticated',
    async handle(request, deps) {
      await endIdentitySessions(deps, actingIdentity(request))
      return none()
    },
  }),
  route({
    method: 'GET',
    path: '/identities/self/sessions/{session}',
    operationId: 'getOwnIdentitySession',
    about: 'A session of the identity.',
    notes: 'Only live sessions are found.',
    session: 'identity',
    response: { 200: identitySessionSchema },
    permission: 'authenticated',
    async handle(request, deps) {
      const acting = actingIdentity(request)
      const session = await getOwnSession(deps, acting, getIdParam(request.params.session))
      return ok(toSessionJson(session, acting.sessionHash))
    },
  }),
  route({
    method: 'DELETE',
    path: '/identities/self/sessions/{session}',
    operationId: 'endOwnIdentitySession',
    about: 'Ends a session of the identity.',
    notes: 'The session of the request can be ended too.',
    session: 'identity',
    response: { 204: null },
    permission: 'authenticated',
    async handle(request, deps) {
      const acting = actingIdentity(request)
      const { tokenHash } = await getOwnSession(deps, acting, getIdParam(request.params.session))
      await endIdentitySession(deps, { accountId: acting.accountId, tokenHash })
      return none()
    },
  }),
]

function toSessionJson({ id, createdAt, lastUsedAt, endsAt, tokenHash }: OwnSession, currentHash: string) {
  return {
    id,
    createdAt: isoTime(createdAt),
    lastUsedAt: isoTime(lastUsedAt),
    expiresAt: isoTime(endsAt),
    current: tokenHash === currentHash,
  }
}
