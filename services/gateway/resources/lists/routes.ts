import type Joi from 'joi'
import { listOrders } from '#shared/data/lists/columns.ts'
import { bodyBytes, maxErrors } from '#shared/domain/limits.ts'
import { type ListBody, listFields, serializeList } from '#shared/domain/list/fields.ts'
import { listWarnings } from '#shared/domain/list/warnings.ts'
import type { FieldError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { json } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { parsePage, serializePage } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import { deletionAnswer, deletionQuery, deletionResponse, withWarnings } from '../../schemas/warnings.ts'
import type { ListDeps } from './context.ts'
import { createList } from './create-list.ts'
import { deleteList } from './delete-list.ts'
import { listLists } from './list-lists.ts'
import { getVisibleList } from './load-list.ts'
import { createListBody, listListsQuery, listSchema, updateListBody, writtenListSchema } from './schemas.ts'
import { updateList } from './update-list.ts'
import { type ShownList, withVisibleItemCount } from './visible-item-count.ts'

/** Lists (contract 2.1). */
export const listRoutes: readonly Route<ListDeps>[] = [
  route({
    method: 'POST',
    path: '/lists',
    operationId: 'createList',
    about: 'Creates a list.',
    notes: 'Give a name or a path name, or both: each defaults to the other. The path name is unique in the account.',
    response: { 201: writtenListSchema },
    errors: ['LIST_PATH_NAME_TAKEN', 'MAX_LISTS_EXCEEDED'],
    permission: { action: 'create', resourceType: 'list' },
    body: bodyOf(createListBody),
    async handle({ principal, body, text }, deps) {
      const created = await createList(deps, { principal, fields: fieldsOf(body, text) })
      return json(serializeWritten({ list: created, warnings: [] }, fieldsOf(body, text)), { status: 201 })
    },
  }),
  route({
    method: 'GET',
    path: '/lists',
    operationId: 'listLists',
    about: 'A page of lists.',
    response: { 200: pageOf(listSchema) },
    errors: ['QUESTION_TOO_BROAD'],
    permission: { action: 'view', resourceType: 'list' },
    query: listListsQuery,
    async handle({ principal, query }, deps) {
      const page = await listLists(deps, { principal, ...parsePage(query, listOrders, listFields) })
      return json(serializePage(page, serializeList))
    },
  }),
  route({
    method: 'GET',
    path: '/lists/{list}',
    operationId: 'getList',
    about: 'A list.',
    notes: 'The id and the path name both find a list; an id takes precedence.',
    response: { 200: listSchema },
    etag: true,
    permission: { action: 'view', resourceType: 'list' },
    async handle({ principal, params }, deps) {
      const found = await getVisibleList(deps, { principal, ...params, action: 'view' })
      return json(serializeList(await withVisibleItemCount(deps, principal, found)))
    },
  }),
  route({
    method: 'PUT',
    path: '/lists/{list}',
    operationId: 'updateList',
    about: 'Changes the fields of a list that the body names.',
    notes:
      'Fields that the body does not name stay as they are. A new schema validates later writes only: stored items stay as they are.',
    response: { 200: writtenListSchema },
    errors: ['LIST_PATH_NAME_TAKEN', 'LIST_READONLY'],
    permission: {
      always: [{ action: 'update', resourceType: 'list' }],
      byBody: [{ action: 'update', resourceType: 'index' }],
    },
    body: bodyOf(updateListBody),
    async handle({ principal, params, body, text }, deps) {
      const { list, warnings } = await updateList(deps, { principal, ...params, fields: fieldsOf(body, text) })
      return json(
        serializeWritten({ list: await withVisibleItemCount(deps, principal, list), warnings }, fieldsOf(body, text)),
      )
    },
  }),
  route({
    method: 'DELETE',
    path: '/lists/{list}',
    operationId: 'deleteList',
    about: 'Deletes a list and its items.',
    notes:
      'The path name can be used again immediately. The items are deleted in the background, without item events. A dry run names the flows that use the list.',
    response: deletionResponse,
    errors: ['LIST_READONLY', 'LIST_PROTECTED'],
    permission: { action: 'delete', resourceType: 'list' },
    query: deletionQuery,
    async handle({ principal, params, query }, deps) {
      return deletionAnswer(query, await deleteList(deps, { principal, ...params, ...query }))
    },
  }),
]

function serializeWritten({ list, warnings }: { list: ShownList; warnings: readonly string[] }, set: ListBody): string {
  return withWarnings(serializeList(list), [...listWarnings(set), ...warnings])
}

function bodyOf(schema: Joi.ObjectSchema<ListBody>) {
  return { maxBytes: bodyBytes.other, schema, text: ['schema'], textErrors: schemaErrors } as const
}

/** The errors of a list's new schema; null means no schema. */
async function schemaErrors(
  { schema = 'null' }: Record<string, string>,
  { accountId }: AuthenticatedPrincipal,
  { schemas }: ListDeps,
): Promise<FieldError[]> {
  return schema === 'null' ? [] : schemas.check(accountId, [{ text: schema, path: 'schema' }], maxErrors)
}

/** The fields of a body, with the schema as it was sent: numbers keep their digits, and keys their order. */
function fieldsOf({ schema: _parsed, ...fields }: ListBody, { schema }: { schema?: string }): ListBody {
  return schema === undefined ? fields : { ...fields, schema: schema === 'null' ? null : schema }
}
