import { indexOrders } from '#shared/data/lists/columns.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { type IndexBody, indexFields, serializeListIndex } from '#shared/domain/list/index-fields.ts'
import { indexWarnings } from '#shared/domain/list/warnings.ts'
import { json, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { parsePage, serializePage } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import { deletionAnswer, deletionQuery, deletionResponse, withWarnings } from '../../schemas/warnings.ts'
import type { IndexDeps } from './context.ts'
import { createIndex, deleteIndex, type ModifiedIndex, rebuildIndex, updateIndex } from './indexes.ts'
import { listIndexes } from './list-indexes.ts'
import { getVisibleIndex, loadIndexes } from './load-index.ts'
import {
  createIndexBody,
  createIndexQuery,
  indexSchema,
  indexTrialSchema,
  listIndexesQuery,
  updateIndexBody,
  writtenIndexSchema,
} from './schemas.ts'
import { tryIndex } from './try-index.ts'
import { serializerWithProgress } from './with-progress.ts'

const indexes = '/lists/{list}/indexes'

/** Indexes of a list (contract 2.3). */
export const indexRoutes: readonly Route<IndexDeps>[] = [
  route({
    method: 'POST',
    path: indexes,
    operationId: 'createIndex',
    about:
      'Creates an index; on a list with items it is built in the background. A dry run returns the values that it would have.',
    notes:
      'Give a name or a path name, and a pointer. While the index is `building`, items can be read and written, but the index cannot be used.',
    response: { 200: indexTrialSchema, 201: writtenIndexSchema },
    errors: ['LIST_READONLY', 'INDEX_PATH_NAME_TAKEN', 'INDEX_ALIAS_EXISTS', 'MAX_INDEXES_EXCEEDED'],
    // A dry run shows values of items.
    permission: {
      always: [{ action: 'create', resourceType: 'index' }],
      byBody: [{ action: 'view', resourceType: 'item' }],
    },
    query: createIndexQuery,
    body: { maxBytes: bodyBytes.other, schema: createIndexBody },
    async handle({ principal, params, query, body }, deps) {
      const creation = { principal, ...params, fields: body }
      if (query.dryRun) return ok(await tryIndex(deps, creation))
      return json(serializeWritten(await createIndex(deps, creation), body), { status: 201 })
    },
  }),
  route({
    method: 'GET',
    path: indexes,
    operationId: 'listIndexes',
    about: 'A page of the indexes of a list.',
    response: { 200: pageOf(indexSchema) },
    permission: { action: 'view', resourceType: 'index' },
    query: listIndexesQuery,
    async handle({ principal, params, query }, deps) {
      const page = await listIndexes(deps, { principal, ...params, ...parsePage(query, indexOrders, indexFields) })
      return json(serializePage(page, await serializerWithProgress(deps, principal, page.data)))
    },
  }),
  route({
    method: 'GET',
    path: `${indexes}/{index}`,
    operationId: 'getIndex',
    about: 'An index.',
    response: { 200: indexSchema },
    etag: true,
    permission: { action: 'view', resourceType: 'index' },
    async handle({ principal, params }, deps) {
      const wanted = { principal, ...params, action: 'view' } as const
      const index = getVisibleIndex(await loadIndexes(deps, wanted), wanted)
      return json((await serializerWithProgress(deps, principal, [index]))(index))
    },
  }),
  route({
    method: 'PUT',
    path: `${indexes}/{index}`,
    operationId: 'updateIndex',
    about: 'Changes the fields of an index that the body names; some changes build it again.',
    notes:
      'Another `pointer` or `valueType`, and turning on `alias` or `searching`, build the index again in the background.',
    response: { 200: writtenIndexSchema },
    errors: ['LIST_READONLY', 'INDEX_PATH_NAME_TAKEN', 'INDEX_ALIAS_EXISTS'],
    permission: { action: 'update', resourceType: 'index' },
    body: { maxBytes: bodyBytes.other, schema: updateIndexBody },
    async handle({ principal, params, body }, deps) {
      return json(serializeWritten(await updateIndex(deps, { principal, ...params, fields: body }), body))
    },
  }),
  route({
    method: 'DELETE',
    path: `${indexes}/{index}`,
    operationId: 'deleteIndex',
    about: 'Deletes an index.',
    notes:
      'Items keep their data; only the values of the index are deleted. A dry run names the flows that use the index.',
    response: deletionResponse,
    errors: ['LIST_READONLY'],
    permission: { action: 'delete', resourceType: 'index' },
    query: deletionQuery,
    async handle({ principal, params, query }, deps) {
      return deletionAnswer(query, await deleteIndex(deps, { principal, ...params, ...query }))
    },
  }),
  route({
    method: 'POST',
    path: `${indexes}/{index}/rebuild`,
    operationId: 'rebuildIndex',
    about: 'Builds an index again after its build has failed.',
    notes: 'Call it when `buildStatus` is `failed`, after you have changed the items on which the build failed.',
    response: { 200: indexSchema },
    errors: ['LIST_READONLY', 'INDEX_BUILD_NOT_FAILED'],
    permission: { action: 'update', resourceType: 'index' },
    async handle({ principal, params }, deps) {
      return json(serializeListIndex(await rebuildIndex(deps, { principal, ...params })))
    },
  }),
]

function serializeWritten({ index, warnings }: ModifiedIndex, set: IndexBody): string {
  return withWarnings(serializeListIndex(index), [...indexWarnings(set), ...warnings])
}
