import { groupOrders, readGroupPage } from '#shared/data/identities/identity-groups.ts'
import { groupFields, toGroupJson } from '#shared/domain/identity/group-fields.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { created, none, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { parsePage, toPageJson } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import type { GroupDeps } from './context.ts'
import { createGroup, deleteGroup, getGroup, updateGroup } from './groups.ts'
import { createGroupBody, groupSchema, listGroupsQuery, updateGroupBody } from './schemas.ts'

/** Groups of identities, in user mode only (contract 2.5). */
export const identityGroupRoutes: readonly Route<GroupDeps>[] = [
  route({
    method: 'POST',
    path: '/identity-groups',
    operationId: 'createIdentityGroup',
    about: 'Creates a group of identities before its first registration.',
    notes: 'Otherwise the first registration in a group creates it, with the default settings.',
    response: { 201: groupSchema },
    errors: ['IDENTITY_UNABLE_TO_CREATE'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: createGroupBody },
    async handle({ principal, body }, deps) {
      const group = await createGroup(deps, { principal, body })
      return created(toGroupJson(group))
    },
  }),
  route({
    method: 'GET',
    path: '/identity-groups',
    operationId: 'listIdentityGroups',
    about: 'A page of the groups of identities.',
    notes: 'The ungrouped space is not a group, and has no settings.',
    response: { 200: pageOf(groupSchema) },
    permission: 'user',
    query: listGroupsQuery,
    async handle({ principal, query }, { db }) {
      const { filters, request } = parsePage(query, groupOrders, groupFields)
      const page = await readGroupPage(db.long, { accountId: principal.accountId, filters }, request)
      return ok(toPageJson(page, toGroupJson))
    },
  }),
  route({
    method: 'GET',
    path: '/identity-groups/{group}',
    operationId: 'getIdentityGroup',
    about: 'A group of identities.',
    notes: 'The id and the name both find a group.',
    response: { 200: groupSchema },
    permission: 'user',
    async handle({ principal, params }, deps) {
      return ok(toGroupJson(await getGroup(deps, { principal, ...params })))
    },
  }),
  route({
    method: 'PUT',
    path: '/identity-groups/{group}',
    operationId: 'updateIdentityGroup',
    about: 'Changes settings of a group; they apply to its live sessions too.',
    notes: 'Shorter session times end sessions that are older; longer times restore none.',
    response: { 200: groupSchema },
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: updateGroupBody },
    async handle({ principal, params, body }, deps) {
      const group = await updateGroup(deps, { principal, ...params, settings: body })
      return ok(toGroupJson(group))
    },
  }),
  route({
    method: 'DELETE',
    path: '/identity-groups/{group}',
    operationId: 'deleteIdentityGroup',
    about: 'Deletes a group that has no identities.',
    notes: 'A group that has identities is kept, with 400 `VALIDATION_FAILED`.',
    response: { 204: null },
    permission: 'user',
    async handle({ principal, params }, deps) {
      await deleteGroup(deps, { principal, ...params })
      return none()
    },
  }),
]
