import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { json } from '#services/gateway/request/response.ts'
import { type JsonBodyRule, type Route, route } from '#services/gateway/request/route.ts'
import { serializePage } from '#services/gateway/schemas/page-schemas.ts'
import { pageOf } from '#services/gateway/schemas/response-schemas.ts'
import { pointerErrors } from '#shared/domain/item/patch-operations.ts'
import { validationFailed } from '#shared/errors.ts'
import type { ItemDeps } from '../context.ts'
import { chooseOfItems, dataChooser } from '../data-choice.ts'
import { itemBytes, parseParams } from '../item-params.ts'
import { listItems } from '../reading/list-items.ts'
import { parseListing } from '../reading/list-query.ts'
import { hiddenPointers, itemResponse, type Shown, shownState } from '../reading/serialize.ts'
import {
  aliasErrors,
  changeErrors,
  etagOfRead,
  etagOfWrite,
  ifMatch,
  indexFilters,
  itemDataSchema,
  itemSchema,
  listDataQuery,
  mergeDataQuery,
  readDataQuery,
  writeItemQuery,
} from '../schemas.ts'
import { findSeen, getData } from './get-data.ts'
import { mergeData } from './merge-data.ts'
import { parsePatch, patchSchema } from './patch-body.ts'
import { patchData } from './patch-data.ts'
import { removeData } from './remove-data.ts'
import { replaceData } from './replace-data.ts'

const ofItem = '/lists/{list}/items/{item}/data/{pointer*}'
const view = { action: 'view', resourceType: 'item' } as const
const update = { action: 'update', resourceType: 'item' } as const
const mergePatchType = 'application/merge-patch+json'
const anyJson: JsonBodyRule = { maxBytes: itemBytes, anyJson: itemDataSchema }

/** Parts of items' data, by JSON Pointer (contract 2.2). */
export const itemDataRoutes: readonly Route<ItemDeps>[] = [
  route({
    method: 'GET',
    path: '/lists/{list}/items/data/{pointer*}',
    operationId: 'listItemData',
    about: 'A page of one value of each item.',
    notes:
      'Each row is the value at the pointer in one item, null where an item has none. Orders and filters are those of pages of items.',
    response: { 200: pageOf(itemDataSchema) },
    errors: ['INDEX_NOT_USABLE', ...aliasErrors],
    permission: view,
    query: listDataQuery,
    otherParameters: indexFilters,
    async handle(request, deps) {
      const { pointer, principal, ...params } = parseDataParams(request)
      const listing = { ...parseListing(request), includeData: true }
      const { page, config } = await listItems(deps, { principal, ...params, ...listing })
      const values = page.data.map((item) => ({
        ...item,
        data: findSeen(item.data, pointer, hiddenPointers({ item, config }, { principal, ...listing })) ?? 'null',
      }))
      return json(serializePage({ ...page, data: await chooseOfItems(values, request.query) }, ({ data }) => data))
    },
  }),
  route({
    method: 'GET',
    path: ofItem,
    operationId: 'getItemData',
    about: "A value of an item's data.",
    notes: 'The answer is the value itself, without the item around it.',
    response: { 200: itemDataSchema },
    errors: [...aliasErrors, 'ITEM_VERSION_NOT_RETAINED', 'POINTER_NOT_FOUND', 'ITEM_PRECONDITION_FAILED'],
    headers: { response: etagOfRead },
    permission: view,
    query: readDataQuery,
    async handle(request, deps) {
      const params = parseDataParams(request)
      const { text, ...found } = await getData(deps, { ...params, ...request.query })
      const state = shownState(found, request, ['data', params.pointer])
      return json(dataChooser(request.query)?.(text) ?? text, { state })
    },
  }),
  route({
    method: 'POST',
    path: ofItem,
    operationId: 'mergeItemData',
    about: "Merges the body into a value of an item's data: objects member by member, arrays one after the other.",
    notes:
      'Objects are merged member by member, arrays one after the other; anything else is replaced. `merge=rfc7396` merges as a merge patch instead.',
    response: { 200: itemSchema },
    errors: [...changeErrors, 'POINTER_NOT_FOUND', 'ITEM_SCHEMA_INVALID', 'ITEM_ALIAS_TAKEN', 'STORAGE_LIMIT_EXCEEDED'],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: update,
    body: { ...anyJson, types: [mergePatchType] },
    query: mergeDataQuery,
    async handle(request, deps) {
      const value = { value: request.bodyText, mode: mergeMode(request) }
      return itemResponse(200, await mergeData(deps, { ...parseDataParams(request), ...value }), request)
    },
  }),
  route({
    method: 'PUT',
    path: ofItem,
    operationId: 'replaceItemData',
    about: "Replaces a value of an item's data.",
    notes:
      'The body is the new value. If the pointer has no value yet, the new value is added to the object or array that contains its place.',
    response: { 200: itemSchema },
    errors: [...changeErrors, 'POINTER_NOT_FOUND', 'ITEM_SCHEMA_INVALID', 'ITEM_ALIAS_TAKEN', 'STORAGE_LIMIT_EXCEEDED'],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: update,
    body: anyJson,
    query: writeItemQuery,
    async handle(request, deps) {
      const replaced = await replaceData(deps, { ...parseDataParams(request), value: request.bodyText })
      return itemResponse(200, replaced, request)
    },
  }),
  route({
    method: 'PATCH',
    path: ofItem,
    operationId: 'patchItemData',
    about: "Applies a JSON Patch (RFC 6902) to a value of an item's data, all or nothing.",
    notes: 'The operations are applied in their order, all or none (RFC 6902).',
    response: { 200: itemSchema },
    errors: [
      ...changeErrors,
      'POINTER_NOT_FOUND',
      'ITEM_PATCH_FAILED',
      'ITEM_SCHEMA_INVALID',
      'ITEM_ALIAS_TAKEN',
      'STORAGE_LIMIT_EXCEEDED',
    ],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: update,
    body: { ...anyJson, anyJson: patchSchema, types: ['application/json-patch+json'] },
    query: writeItemQuery,
    async handle(request, deps) {
      const operations = parsePatch(request.body, request.bodyText)
      return itemResponse(200, await patchData(deps, { ...parseDataParams(request), operations }), request)
    },
  }),
  route({
    method: 'DELETE',
    path: ofItem,
    operationId: 'removeItemData',
    about: "Removes a value of an item's data.",
    notes: 'The other data stays as it is, and the schema of the list validates the result.',
    response: { 200: itemSchema },
    errors: [...changeErrors, 'POINTER_NOT_FOUND', 'ITEM_SCHEMA_INVALID', 'ITEM_ALIAS_TAKEN', 'STORAGE_LIMIT_EXCEEDED'],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: update,
    query: writeItemQuery,
    async handle(request, deps) {
      return itemResponse(200, await removeData(deps, parseDataParams(request)), request)
    },
  }),
]

function parseDataParams<Parameters extends { pointer?: string }>(
  request: ApiRequest<AuthenticatedPrincipal, Parameters, Shown, unknown>,
) {
  return { ...parseParams(request), pointer: getPointer(request.params) }
}

/** Clients append the pointer to `/data/`, or its steps: `/data//a/b` and `/data/a/b` mean the same. */
function getPointer({ pointer: rest = '' }: { pointer?: string }): string {
  const pointer = rest === '' || rest.startsWith('/') ? rest : `/${rest}`
  const errors = pointerErrors('pointer', pointer)
  if (errors.length > 0) throw validationFailed(errors)
  return pointer
}

/** A body with the content type of merge patches is merged as one, even without the parameter. */
function mergeMode({ query, headers }: ApiRequest<unknown, unknown, { merge?: string }, unknown>): 'deep' | 'rfc7396' {
  const isPatch = query.merge === 'rfc7396' || headers['content-type']?.toLowerCase().startsWith(mergePatchType)
  return isPatch ? 'rfc7396' : 'deep'
}
