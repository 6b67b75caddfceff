import type { ListOrder, ListSet } from '#shared/data/lists/list-page.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { listJson } from '#shared/domain/list/json.ts'
import type { ListFields } from '#shared/domain/list/settings.ts'
import type { Fault } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { type PageQuery, pageJson, pageRequest, setFilters } from '../../http/page-schemas.ts'
import { maxFaults } from '../../http/validation.ts'
import type { Caller, KnownCaller } from '../../request/principal.ts'
import type { ApiRequest, BodyRule, Route } from '../../request/route.ts'
import { createList } from './create-list.ts'
import { deleteList } from './delete-list.ts'
import { type ListListing, listLists, listOrders } from './list-lists.ts'
import { findVisibleList } from './load-list.ts'
import { createListBody, listListsQuery, updateListBody } from './schemas.ts'
import { updateList } from './update-list.ts'
import { shownList } from './visible-list.ts'

/** Lists (contract 2.1). */
export const listRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/lists',
    access: 'caller',
    body: bodyOf(createListBody),
    async handle(request, deps) {
      const { caller } = target(request)
      return { status: 201, json: listJson(await createList(deps, { caller, fields: fieldsOf(request) })) }
    },
  },
  {
    method: 'GET',
    path: '/lists',
    access: 'caller',
    query: listListsQuery,
    async handle(request, deps) {
      return { status: 200, json: pageJson(await listLists(deps, listing(request)), listJson) }
    },
  },
  {
    method: 'GET',
    path: '/lists/{list}',
    access: 'caller',
    async handle(request, deps) {
      const { caller, list } = target(request)
      const found = await findVisibleList(deps, { caller, list, action: 'view' })
      return { status: 200, json: listJson(await shownList(deps, caller, found)) }
    },
  },
  {
    method: 'PUT',
    path: '/lists/{list}',
    access: 'caller',
    body: bodyOf(updateListBody),
    async handle(request, deps) {
      const { caller, list } = target(request)
      const updated = await updateList(deps, { caller, list, fields: fieldsOf(request) })
      return { status: 200, json: listJson(await shownList(deps, caller, updated)) }
    },
  },
  {
    method: 'DELETE',
    path: '/lists/{list}',
    access: 'caller',
    async handle(request, deps) {
      await deleteList(deps, target(request))
      return { status: 204 }
    },
  },
]

function bodyOf(shape: BodyRule['shape']): BodyRule {
  return { maxBytes: bodyBytes.other, shape, text: ['schema'], textFaults: schemaFaults }
}

/** What is wrong with a list's new schema; null is none. */
async function schemaFaults({ schema = 'null' }: Record<string, string>, caller: Caller, deps: Deps): Promise<Fault[]> {
  if (schema === 'null') return []
  return deps.schemas.check((caller as KnownCaller).accountId, [{ text: schema, path: 'schema' }], maxFaults)
}

function target({ caller, params: { list = '' } }: ApiRequest) {
  return { caller: caller as KnownCaller, list }
}

/** The schema as it was sent: numbers and the order of keys stay. */
function fieldsOf({ body, text }: ApiRequest): ListFields {
  const { schema: _parsed, ...fields } = body as ListFields
  if (text.schema === undefined) return fields
  return { ...fields, schema: text.schema === 'null' ? null : text.schema }
}

function listing({ caller, query }: ApiRequest): ListListing {
  const { page, limit, order, direction, after, ...named } = query as PageQuery & { order: ListOrder }
  const asked = { page, limit, order, ...(direction && { direction }), ...(after !== undefined && { after }) }
  const filters = setFilters(named)
  const request = { ...pageRequest(asked, { direction: listOrders[order], filters }), order }
  return { caller: caller as KnownCaller, filters: filters as ListSet['filters'], request }
}
