import type { Config } from '#shared/config/load.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { pageJson } from '../../http/page-schemas.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Route } from '../../request/route.ts'
import { createItem, type ItemBody } from './create-item.ts'
import { deleteItem } from './delete-item.ts'
import { getItem } from './get-item.ts'
import { listItems } from './list-items.ts'
import { readListing } from './list-query.ts'
import { createItemBody, itemQuery, listItemsQuery, updateItemBody } from './schemas.ts'
import { itemAnswer, shownItem } from './serialize.ts'
import { updateItem } from './update-item.ts'

/** Items, as pages and one by one (contract 2.2). */
export const itemRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/lists/{list}/items',
    access: 'principal',
    query: listItemsQuery,
    async handle(request, deps) {
      const { principal, list } = target(request)
      const { query } = request
      const { page, config } = await listItems(deps, { principal, list, ...readListing(query) })
      return { status: 200, json: pageJson(page, (item) => shownItem({ item, config }, { principal, query })) }
    },
  },
  {
    method: 'POST',
    path: '/lists/{list}/items',
    access: 'principal',
    body: { maxBytes: itemBytes, schema: createItemBody, text: ['data'] },
    query: itemQuery,
    async handle(request, deps) {
      const { principal, list } = target(request)
      const created = await createItem(deps, { principal, list, ...written(request) })
      return itemAnswer(201, created, { principal, query: request.query })
    },
  },
  {
    method: 'GET',
    path: '/lists/{list}/items/{item}',
    access: 'principal',
    query: itemQuery,
    async handle(request, deps) {
      const { principal, list, item } = target(request)
      const found = await getItem(deps, { principal, list, item })
      return itemAnswer(200, found, { principal, query: request.query })
    },
  },
  {
    method: 'PUT',
    path: '/lists/{list}/items/{item}',
    access: 'principal',
    body: { maxBytes: itemBytes, schema: updateItemBody, text: ['data'] },
    query: itemQuery,
    async handle(request, deps) {
      const { principal } = target(request)
      const updated = await updateItem(deps, { ...target(request), ...written(request) })
      return itemAnswer(200, updated, { principal, query: request.query })
    },
  },
  {
    method: 'DELETE',
    path: '/lists/{list}/items/{item}',
    access: 'principal',
    query: itemQuery,
    async handle(request, deps) {
      const { principal } = target(request)
      const deleted = await deleteItem(deps, { ...target(request), requestId: request.id })
      return itemAnswer(200, deleted, { principal, query: request.query })
    },
  },
]

/** The data an operator allows, and room for the other fields. */
function itemBytes({ items }: Config): number {
  return items.maxBytes + bodyBytes.itemFields
}

/** Who asks, for which item, and on what condition. */
function target({ principal, params, headers }: ApiRequest) {
  const { list = '', item = '' } = params
  return { principal: principal as AuthenticatedPrincipal, list, item, ifMatch: headers['if-match'] }
}

function written({ body, text, id }: ApiRequest) {
  return { body: body as ItemBody, dataText: text.data, requestId: id }
}
