import { created, none, ok } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { parsePage } from '#services/gateway/schemas/page-schemas.ts'
import { pageOf } from '#services/gateway/schemas/response-schemas.ts'
import { identityOrders } from '#shared/data/identities/columns.ts'
import { identityFields } from '#shared/domain/identity/fields.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import type { IdentityDeps } from '../context.ts'
import { identitySchema } from '../schemas.ts'
import { createIdentity } from './create-identity.ts'
import { deleteIdentity } from './delete-identity.ts'
import { showIdentities, showIdentity } from './identity-json.ts'
import { listIdentities } from './list-identities.ts'
import { getIdentity } from './load-identity.ts'
import { createIdentityBody, listIdentitiesQuery, updateIdentityBody } from './schemas.ts'
import { updateIdentity } from './update-identity.ts'

/** Managing the identities of an account (contract 2.5). */
export const identityManagementRoutes: readonly Route<IdentityDeps>[] = [
  route({
    method: 'POST',
    path: '/identities',
    operationId: 'createIdentity',
    about: 'Creates an identity on behalf of the account.',
    notes: 'Without a password the identity cannot sign in until it gets one.',
    response: { 201: identitySchema },
    errors: [
      'REQUESTED_ENTITY_NOT_FOUND',
      'IDENTITY_EMAIL_REQUIRED',
      'IDENTITY_UNABLE_TO_CREATE',
      'MAX_IDENTITIES_EXCEEDED',
    ],
    permission: { action: 'create', resourceType: 'identity' },
    body: { maxBytes: bodyBytes.other, schema: createIdentityBody },
    async handle({ id, principal, body }, deps) {
      const identity = await createIdentity(deps, { principal, body, requestId: id })
      return created(await showIdentity(deps, principal, identity))
    },
  }),
  route({
    method: 'GET',
    path: '/identities',
    operationId: 'listIdentities',
    about: 'A page of the identities that the caller may view.',
    notes:
      'Emails are included in user mode only. With a filter that no index serves a call examines at most 20,000 identities: a page by cursor may then have few rows or none, and `next` continues.',
    response: { 200: pageOf(identitySchema) },
    errors: ['QUESTION_TOO_BROAD'],
    permission: { action: 'view', resourceType: 'identity' },
    query: listIdentitiesQuery,
    async handle({ principal, query }, deps) {
      const page = await listIdentities(deps, { principal, ...parsePage(query, identityOrders, identityFields) })
      return ok({ ...page, data: await showIdentities(deps, principal, page.data) })
    },
  }),
  route({
    method: 'GET',
    path: '/identities/{identity}',
    operationId: 'getIdentity',
    about: 'An identity.',
    notes: '`{identity}` is an id, or group and name as one encoded text such as `staff%2Fada`.',
    response: { 200: identitySchema },
    permission: { action: 'view', resourceType: 'identity' },
    async handle({ principal, params }, deps) {
      const found = await getIdentity(deps, { principal, ...params }, 'view')
      return ok(await showIdentity(deps, principal, found))
    },
  }),
  route({
    method: 'PUT',
    path: '/identities/{identity}',
    operationId: 'updateIdentity',
    about: 'Changes an identity; a new password, and a deactivation, end its sessions.',
    notes: 'A token needs `reset-password` too to set a password.',
    response: { 200: identitySchema },
    errors: ['IDENTITY_EMAIL_REQUIRED', 'IDENTITY_UNABLE_TO_CREATE'],
    permission: {
      always: [{ action: 'update', resourceType: 'identity' }],
      byBody: [{ action: 'reset-password', resourceType: 'identity' }],
    },
    body: { maxBytes: bodyBytes.other, schema: updateIdentityBody },
    async handle({ id, principal, params, body }, deps) {
      const updated = await updateIdentity(deps, { principal, ...params, body, requestId: id })
      return ok(await showIdentity(deps, principal, updated))
    },
  }),
  route({
    method: 'DELETE',
    path: '/identities/{identity}',
    operationId: 'deleteIdentity',
    about: 'Deletes an identity with its sessions; its items stay, without an owner.',
    notes: 'The `identity` of its items becomes null. No item events are sent.',
    response: { 204: null },
    permission: { action: 'delete', resourceType: 'identity' },
    async handle({ principal, params }, deps) {
      await deleteIdentity(deps, { principal, ...params })
      return none()
    },
  }),
]
