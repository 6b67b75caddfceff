import type { DescribedRoute } from '../../request/described-route.ts'
import type { ApiRequest } from '../../request/route.ts'
import { serializePage } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import type { ItemDeps } from './context.ts'
import { createItem, type ItemBody } from './create-item.ts'
import { deleteItem } from './delete-item.ts'
import { getItem } from './get-item.ts'
import { parseIdempotencyKey } from './idempotent-request.ts'
import { itemBytes, parseParams, parseVersion } from './item-params.ts'
import { listItems } from './list-items.ts'
import { parseListing } from './list-query.ts'
import { restoreItem } from './restore-item.ts'
import {
  aliasErrors,
  changeErrors,
  createItemBody,
  etag,
  etagOfWrite,
  idempotencyHeader,
  ifMatch,
  indexFilters,
  itemSchema,
  listItemsQuery,
  readItemQuery,
  updateItemBody,
  writeItemQuery,
} from './schemas.ts'
import { itemResponse, serializeSeenItem } from './serialize.ts'
import { updateItem } from './update-item.ts'

/** Items, as pages and one by one (contract 2.2). */
export const itemRoutes: readonly DescribedRoute<ItemDeps>[] = [
  {
    method: 'GET',
    path: '/lists/{list}/items',
    operationId: 'listItems',
    about: 'A page of items of a list.',
    notes:
      'Each index of the list with `sorting` is an order, and each index with `filtering` is a filter, under its path name. Data is included on request only.',
    response: { 200: pageOf(itemSchema) },
    errors: ['INDEX_NOT_USABLE', ...aliasErrors],
    permission: { action: 'view', resourceType: 'item' },
    query: listItemsQuery,
    otherParameters: indexFilters,
    async handle(request, deps) {
      const { principal, list } = parseParams(request)
      const { query } = request
      const { page } = await listItems(deps, { principal, list, ...parseListing(request) })
      return { status: 200, json: serializePage(page, (item) => serializeSeenItem(item, query)) }
    },
  },
  {
    method: 'POST',
    path: '/lists/{list}/items',
    operationId: 'createItem',
    about: 'Creates an item.',
    notes:
      'All fields are optional. The schema of the list validates the data. With `Idempotency-Key` the request can be sent again without a second item.',
    response: { 201: itemSchema },
    errors: ['LIST_READONLY', 'ITEM_SCHEMA_INVALID', 'ITEM_ALIAS_TAKEN', 'IDEMPOTENCY_KEY_REUSED'],
    headers: { request: idempotencyHeader, response: etagOfWrite },
    permission: { action: 'create', resourceType: 'item' },
    body: { maxBytes: itemBytes, schema: createItemBody, text: ['data'] },
    query: writeItemQuery,
    async handle(request, deps) {
      const params = parseParams(request)
      const idempotencyKey = parseIdempotencyKey(request)
      const created = await createItem(deps, { ...params, ...parseItemWrite(request), idempotencyKey })
      return itemResponse(201, created, { principal: params.principal, query: request.query })
    },
  },
  {
    method: 'GET',
    path: '/lists/{list}/items/{item}',
    operationId: 'getItem',
    about: 'An item.',
    notes: 'With `version` an earlier version of the last 100 is read.',
    response: { 200: itemSchema },
    errors: [...aliasErrors, 'ITEM_VERSION_NOT_RETAINED'],
    headers: { response: etag },
    permission: { action: 'view', resourceType: 'item' },
    query: readItemQuery,
    async handle(request, deps) {
      const params = parseParams(request)
      const found = await getItem(deps, { ...params, version: parseVersion(request) })
      return itemResponse(200, found, { principal: params.principal, query: request.query })
    },
  },
  {
    method: 'PUT',
    path: '/lists/{list}/items/{item}',
    operationId: 'updateItem',
    about: 'Changes the fields of an item that the body names; `data` replaces all data.',
    notes:
      'Fields that the body does not name stay as they are. With `If-Match` the write fails if the item has changed since.',
    response: { 200: itemSchema },
    errors: [...changeErrors, 'USER_MODE_REQUIRED', 'ITEM_SCHEMA_INVALID', 'ITEM_ALIAS_TAKEN'],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: { action: 'update', resourceType: 'item' },
    body: { maxBytes: itemBytes, schema: updateItemBody, text: ['data'] },
    query: writeItemQuery,
    async handle(request, deps) {
      const params = parseParams(request)
      const updated = await updateItem(deps, { ...params, ...parseItemWrite(request) })
      return itemResponse(200, updated, { principal: params.principal, query: request.query })
    },
  },
  {
    method: 'DELETE',
    path: '/lists/{list}/items/{item}',
    operationId: 'deleteItem',
    about: 'Deletes an item and returns it as it was.',
    notes: 'A deleted item can be restored as long as the event log keeps its events.',
    response: { 200: itemSchema },
    errors: changeErrors,
    headers: { request: ifMatch, response: etagOfWrite },
    permission: { action: 'delete', resourceType: 'item' },
    query: writeItemQuery,
    async handle(request, deps) {
      const params = parseParams(request)
      const deleted = await deleteItem(deps, params)
      return itemResponse(200, deleted, { principal: params.principal, query: request.query })
    },
  },
  {
    method: 'POST',
    path: '/lists/{list}/items/{item}/events/{event}/restore',
    operationId: 'restoreItem',
    about: 'Brings an item, also a deleted one, back to how it was after one of its events.',
    notes:
      'The state becomes a new version. A deleted item comes back under its id, with its owner if that still exists.',
    response: { 200: itemSchema },
    errors: [...changeErrors, 'ITEM_UNABLE_TO_RESTORE', 'ITEM_SCHEMA_INVALID', 'ITEM_ALIAS_TAKEN'],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: [
      { action: 'restore', resourceType: 'item' },
      { action: 'view', resourceType: 'item' },
    ],
    query: writeItemQuery,
    async handle(request, deps) {
      const params = parseParams(request)
      const restored = await restoreItem(deps, { ...params, event: request.params.event ?? '' })
      return itemResponse(200, restored, { principal: params.principal, query: request.query })
    },
  },
]

function parseItemWrite({ body, text }: ApiRequest) {
  return { body: body as ItemBody, dataText: text.data }
}
