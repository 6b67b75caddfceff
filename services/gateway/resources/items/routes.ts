import { json } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { serializePage } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import type { ItemDeps } from './context.ts'
import { assertDataShown, chooseOfItems } from './data-choice.ts'
import { itemBytes, parseParams } from './item-params.ts'
import { getItem } from './reading/get-item.ts'
import { listItems } from './reading/list-items.ts'
import { parseListing } from './reading/list-query.ts'
import { itemResponse, readResponse, serializeSeenItem } from './reading/serialize.ts'
import {
  aliasErrors,
  changeErrors,
  createItemBody,
  etagOfRead,
  etagOfWrite,
  idempotencyHeader,
  ifMatch,
  indexFilters,
  itemSchema,
  listItemsQuery,
  readItemQuery,
  repeatedAnswer,
  repeatedHeader,
  updateItemBody,
  writeItemQuery,
} from './schemas.ts'
import { createItem } from './writing/create-item.ts'
import { deleteItem } from './writing/delete-item.ts'
import { parseIdempotencyKey } from './writing/idempotent-request.ts'
import { restoreItem } from './writing/restore-item.ts'
import { updateItem } from './writing/update-item.ts'

/** Items, as pages and one by one (contract 2.2). */
export const itemRoutes: readonly Route<ItemDeps>[] = [
  route({
    method: 'GET',
    path: '/lists/{list}/items',
    operationId: 'listItems',
    about: 'A page of items of a list.',
    notes:
      'Each index of the list with `sorting` is an order, and each index with `filtering` is a filter, under its path name. Data is included only on request. A call examines at most 20,000 items that no index finds. Beyond that, a page with `after` ends early and continues at `next`, and a page by number is QUESTION_TOO_BROAD.',
    response: { 200: pageOf(itemSchema) },
    errors: ['INDEX_NOT_USABLE', 'QUESTION_TOO_BROAD', ...aliasErrors],
    permission: { action: 'view', resourceType: 'item' },
    query: listItemsQuery,
    otherParameters: indexFilters,
    async handle(request, deps) {
      const { query } = request
      assertDataShown(query)
      const listing = { ...parseParams(request), ...parseListing(request), includeData: query.includeData }
      const { page } = await listItems(deps, listing)
      const data = await chooseOfItems(page.data, query)
      return json(serializePage({ ...page, data }, (item) => serializeSeenItem(item, query)))
    },
  }),
  route({
    method: 'POST',
    path: '/lists/{list}/items',
    operationId: 'createItem',
    about: 'Creates an item.',
    notes:
      'All fields are optional. The schema of the list validates the data. With `Idempotency-Key` the request can be sent again without a second item.',
    response: { 201: itemSchema },
    errors: [
      'LIST_READONLY',
      'ITEM_SCHEMA_INVALID',
      'ITEM_ALIAS_TAKEN',
      'IDEMPOTENCY_KEY_REUSED',
      'MAX_ITEMS_EXCEEDED',
      'STORAGE_LIMIT_EXCEEDED',
    ],
    headers: { request: idempotencyHeader, response: { ...etagOfWrite, ...repeatedAnswer } },
    permission: { action: 'create', resourceType: 'item' },
    body: { maxBytes: itemBytes, schema: createItemBody, text: ['data'] },
    query: writeItemQuery,
    async handle(request, deps) {
      const { body, text } = request
      const params = { ...parseParams(request), idempotencyKey: parseIdempotencyKey(request) }
      const created = await createItem(deps, { ...params, body, dataText: text.data })
      const response = itemResponse(201, created, request)
      return { ...response, headers: { ...response.headers, ...repeatedHeader(created.isRepeated) } }
    },
  }),
  route({
    method: 'GET',
    path: '/lists/{list}/items/{item}',
    operationId: 'getItem',
    about: 'An item.',
    notes: '`version` reads one of the last 100 versions.',
    response: { 200: itemSchema },
    errors: [...aliasErrors, 'ITEM_VERSION_NOT_RETAINED', 'ITEM_PRECONDITION_FAILED'],
    headers: { response: etagOfRead },
    permission: { action: 'view', resourceType: 'item' },
    query: readItemQuery,
    async handle(request, deps) {
      assertDataShown(request.query)
      const found = await getItem(deps, { ...parseParams(request), version: request.query.version })
      return readResponse(found, request)
    },
  }),
  route({
    method: 'PUT',
    path: '/lists/{list}/items/{item}',
    operationId: 'updateItem',
    about: 'Changes the fields of an item that the body names; `data` replaces all data.',
    notes:
      'Fields that the body does not name stay as they are. With `If-Match` the write fails if the item has changed since.',
    response: { 200: itemSchema },
    errors: [
      ...changeErrors,
      'USER_MODE_REQUIRED',
      'ITEM_SCHEMA_INVALID',
      'ITEM_ALIAS_TAKEN',
      'STORAGE_LIMIT_EXCEEDED',
    ],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: { action: 'update', resourceType: 'item' },
    body: { maxBytes: itemBytes, schema: updateItemBody, text: ['data'] },
    query: writeItemQuery,
    async handle(request, deps) {
      const { body, text } = request
      const updated = await updateItem(deps, { ...parseParams(request), body, dataText: text.data })
      return itemResponse(200, updated, request)
    },
  }),
  route({
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
      return itemResponse(200, await deleteItem(deps, parseParams(request)), request)
    },
  }),
  route({
    method: 'POST',
    path: '/lists/{list}/items/{item}/events/{event}/restore',
    operationId: 'restoreItem',
    about: 'Restores an item, even a deleted one, to its state after one of its events.',
    notes: 'The state becomes a new version. A deleted item keeps its id, and its owner if that still exists.',
    response: { 200: itemSchema },
    errors: [
      ...changeErrors,
      'ITEM_UNABLE_TO_RESTORE',
      'ITEM_SCHEMA_INVALID',
      'ITEM_ALIAS_TAKEN',
      'MAX_ITEMS_EXCEEDED',
      'STORAGE_LIMIT_EXCEEDED',
    ],
    headers: { request: ifMatch, response: etagOfWrite },
    permission: [
      { action: 'restore', resourceType: 'item' },
      { action: 'view', resourceType: 'item' },
    ],
    query: writeItemQuery,
    async handle(request, deps) {
      return itemResponse(200, await restoreItem(deps, parseParams(request)), request)
    },
  }),
]
