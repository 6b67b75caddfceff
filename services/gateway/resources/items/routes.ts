import type { Config } from '#shared/config/load.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { serializePage } from '../../http/page-schemas.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Route } from '../../request/route.ts'
import type { ItemDeps } from './context.ts'
import { createItem, type ItemBody } from './create-item.ts'
import { deleteItem } from './delete-item.ts'
import { getItem } from './get-item.ts'
import { listItems } from './list-items.ts'
import { parseListing } from './list-query.ts'
import { createItemBody, itemQuery, listItemsQuery, updateItemBody } from './schemas.ts'
import { itemResponse, serializeVisibleItem } from './serialize.ts'
import { updateItem } from './update-item.ts'

/** Items, as pages and one by one (contract 2.2). */
export const itemRoutes: readonly Route<ItemDeps>[] = [
  {
    method: 'GET',
    path: '/lists/{list}/items',
    permission: { action: 'view', resourceType: 'item' },
    query: listItemsQuery,
    async handle(request, deps) {
      const { principal, list } = parseParams(request)
      const { query } = request
      const { page, config } = await listItems(deps, { principal, list, ...parseListing(query) })
      return {
        status: 200,
        json: serializePage(page, (item) => serializeVisibleItem({ item, config }, { principal, query })),
      }
    },
  },
  {
    method: 'POST',
    path: '/lists/{list}/items',
    permission: { action: 'create', resourceType: 'item' },
    body: { maxBytes: itemBytes, schema: createItemBody, text: ['data'] },
    query: itemQuery,
    async handle(request, deps) {
      const { principal, list } = parseParams(request)
      const created = await createItem(deps, { principal, list, ...parseItemWrite(request) })
      return itemResponse(201, created, { principal, query: request.query })
    },
  },
  {
    method: 'GET',
    path: '/lists/{list}/items/{item}',
    permission: { action: 'view', resourceType: 'item' },
    query: itemQuery,
    async handle(request, deps) {
      const { principal, list, item } = parseParams(request)
      const found = await getItem(deps, { principal, list, item })
      return itemResponse(200, found, { principal, query: request.query })
    },
  },
  {
    method: 'PUT',
    path: '/lists/{list}/items/{item}',
    permission: { action: 'update', resourceType: 'item' },
    body: { maxBytes: itemBytes, schema: updateItemBody, text: ['data'] },
    query: itemQuery,
    async handle(request, deps) {
      const params = parseParams(request)
      const updated = await updateItem(deps, { ...params, ...parseItemWrite(request) })
      return itemResponse(200, updated, { principal: params.principal, query: request.query })
    },
  },
  {
    method: 'DELETE',
    path: '/lists/{list}/items/{item}',
    permission: { action: 'delete', resourceType: 'item' },
    query: itemQuery,
    async handle(request, deps) {
      const params = parseParams(request)
      const deleted = await deleteItem(deps, { ...params, requestId: request.id })
      return itemResponse(200, deleted, { principal: params.principal, query: request.query })
    },
  },
]

/** The size of data that the operator allows, and room for the other fields. */
function itemBytes({ items }: Config): number {
  return items.maxBytes + bodyBytes.itemFields
}

/** The principal, the item and the condition of a request. */
function parseParams({ principal, params, headers }: ApiRequest) {
  const { list = '', item = '' } = params
  return { principal: principal as AuthenticatedPrincipal, list, item, ifMatch: headers['if-match'] }
}

function parseItemWrite({ body, text, id }: ApiRequest) {
  return { body: body as ItemBody, dataText: text.data, requestId: id }
}
