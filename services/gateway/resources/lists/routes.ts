import type { ListOrder, ListSet } from '#shared/data/lists/list-page.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { listJson } from '#shared/domain/list/json.ts'
import type { ListFields } from '#shared/domain/list/settings.ts'
import type { Fault } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { type PageQuery, pageJson, pageRequest, setFilters } from '../../http/page-schemas.ts'
import { maxFaults } from '../../http/validation.ts'
import type { AuthenticatedPrincipal, Principal } from '../../request/principal.ts'
import type { ApiRequest, BodyRule, Route } from '../../request/route.ts'
import { createList } from './create-list.ts'
import { deleteList } from './delete-list.ts'
import { type ListListing, listLists, listOrders } from './list-lists.ts'
import { loadVisibleList } from './load-list.ts'
import { createListBody, listListsQuery, updateListBody } from './schemas.ts'
import { updateList } from './update-list.ts'
import { visibleList } from './visible-list.ts'

/** Lists (contract 2.1). */
export const listRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/lists',
    access: 'principal',
    body: bodyOf(createListBody),
    async handle(request, deps) {
      const { principal } = target(request)
      return { status: 201, json: listJson(await createList(deps, { principal, fields: fieldsOf(request) })) }
    },
  },
  {
    method: 'GET',
    path: '/lists',
    access: 'principal',
    query: listListsQuery,
    async handle(request, deps) {
      return { status: 200, json: pageJson(await listLists(deps, listing(request)), listJson) }
    },
  },
  {
    method: 'GET',
    path: '/lists/{list}',
    access: 'principal',
    async handle(request, deps) {
      const { principal, list } = target(request)
      const found = await loadVisibleList(deps, { principal, list, action: 'view' })
      return { status: 200, json: listJson(await visibleList(deps, principal, found)) }
    },
  },
  {
    method: 'PUT',
    path: '/lists/{list}',
    access: 'principal',
    body: bodyOf(updateListBody),
    async handle(request, deps) {
      const { principal, list } = target(request)
      const updated = await updateList(deps, { principal, list, fields: fieldsOf(request) })
      return { status: 200, json: listJson(await visibleList(deps, principal, updated)) }
    },
  },
  {
    method: 'DELETE',
    path: '/lists/{list}',
    access: 'principal',
    async handle(request, deps) {
      await deleteList(deps, target(request))
      return { status: 204 }
    },
  },
]

function bodyOf(shape: BodyRule['schema']): BodyRule {
  return { maxBytes: bodyBytes.other, schema: shape, text: ['schema'], textFaults: schemaFaults }
}

/** What is wrong with a list's new schema; null is none. */
async function schemaFaults(
  { schema = 'null' }: Record<string, string>,
  principal: Principal,
  deps: Deps,
): Promise<Fault[]> {
  if (schema === 'null') return []
  return deps.schemas.check(
    (principal as AuthenticatedPrincipal).accountId,
    [{ text: schema, path: 'schema' }],
    maxFaults,
  )
}

function target({ principal, params: { list = '' } }: ApiRequest) {
  return { principal: principal as AuthenticatedPrincipal, list }
}

/** The schema as it was sent: numbers and the order of keys stay. */
function fieldsOf({ body, text }: ApiRequest): ListFields {
  const { schema: _parsed, ...fields } = body as ListFields
  if (text.schema === undefined) return fields
  return { ...fields, schema: text.schema === 'null' ? null : text.schema }
}

function listing({ principal, query }: ApiRequest): ListListing {
  const { page, limit, order, direction, after, ...named } = query as PageQuery & { order: ListOrder }
  const asked = { page, limit, order, ...(direction && { direction }), ...(after !== undefined && { after }) }
  const filters = setFilters(named)
  const request = { ...pageRequest(asked, { direction: listOrders[order], filters }), order }
  return { principal: principal as AuthenticatedPrincipal, filters: filters as ListSet['filters'], request }
}
