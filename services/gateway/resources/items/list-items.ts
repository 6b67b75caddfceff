import { Conflict } from '#shared/data/conflict.ts'
import { existingIdentityIds } from '#shared/data/identities/identities.ts'
import { isEmpty } from '#shared/data/items/item-matches.ts'
import { type ItemOrder, type ItemPageRequest, readItemPage } from '#shared/data/items/item-page.ts'
import { type ItemSet, type ItemVisibilityFilter, visibleItems } from '#shared/data/items/item-set.ts'
import type { Direction, Page, PageRequest } from '#shared/data/page.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { pathNameKey } from '#shared/domain/list/path-name.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { isAllowed } from '../../auth/authorize.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import { visibilityFor } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import { withList } from '../lists/with-list.ts'
import { assertBuilt } from './assert-built.ts'
import type { ItemDeps } from './context.ts'
import { assertVisibleList } from './load-item.ts'

/** The orders of items, and the default direction of each (contract 1.3). */
export const itemOrders: Record<ItemOrder, Direction> = {
  createdAt: 'desc',
  updatedAt: 'desc',
  size: 'asc',
  readonly: 'desc',
  activated: 'desc',
  locked: 'desc',
}

/** The filters that are set. */
export type ItemFilters = {
  alias?: TextFilter
  readonly?: boolean
  activated?: boolean
  identityId?: string[]
  tagged?: string[][]
}

export type ItemListing = {
  principal: AuthenticatedPrincipal
  list: string
  filters: ItemFilters
  /** The request's order may be any text. */
  request: PageRequest
  includeData: boolean
  /** Parameters that the API does not define; one with the name of an index would be a filter on its values. */
  otherNames: readonly string[]
}

/**
 * One page of the items of a list that the principal may see.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, INDEX_NOT_USABLE, INDEX_BUILDING, INDEX_BUILD_FAILED,
 *   VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export function listItems(deps: ItemDeps, listing: ItemListing): Promise<{ page: Page<Item>; config: ListConfig }> {
  const { principal } = listing
  return withList(deps.lists, { accountId: principal.accountId, ref: listing.list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    const visibility = await visibilityOf(deps, config, principal)
    assertNoIndexFilters(config, listing)
    if (listing.filters.alias && config.aliasIndex) await assertBuilt(deps.db, config.aliasIndex)
    const request = itemRequest(config, listing)
    if (principal.mode === 'token' && listing.filters.activated === false) return { page: emptyPage(request), config }
    const read = await readItemPage(deps.db.long, await pageOptions(deps, config, { ...listing, visibility }), request)
    if (read === 'too-many') throw validationFailed([{ path: 'order', message: tooMany }])
    if (read?.configVersion !== config.list.configVersion) throw new Conflict('list')
    return { page: read.page, config }
  })
}

const tooMany = 'is supported for at most 10,000 items; order by createdAt or updatedAt, or add a filter'

/**
 * Which items of the list this principal sees. When the rules let it see none, the list does not exist for it, unless it may
 * see the list itself.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND
 */
async function visibilityOf(
  deps: ItemDeps,
  { list }: ListConfig,
  principal: AuthenticatedPrincipal,
): Promise<ItemVisibilityFilter> {
  const visibility = visibilityFor(principal, list.id)
  const seesList = isAllowed(principal, { action: 'view', resourceType: 'list', listId: list.id })
  if (visibility.kind === 'none')
    throw seesList ? new AppError('TOKEN_NOT_AUTHORIZED') : notFoundOrForbidden(principal, 'view', 'item')
  // Rules that only name items may name those of other lists.
  if (visibility.kind === 'byId' && !seesList && (await isEmpty(deps.db, visibleItems(list.id, visibility, true)))) {
    throw notFoundOrForbidden(principal, 'view', 'item')
  }
  if (principal.mode === 'token' && !list.indexable) {
    throw new AppError('TOKEN_NOT_AUTHORIZED', { message: 'Tokens cannot list the items of this list.' })
  }
  return visibility
}

/** Ignoring such a filter would return items that the client means to exclude. @throws INDEX_NOT_USABLE */
function assertNoIndexFilters(config: ListConfig, { otherNames }: ItemListing): void {
  const names = otherNames.map((name) => name.replace(/^index\./, ''))
  const index = names.map((name) => findIndexName(config, name)).find((known) => known !== undefined)
  if (index) throw new AppError('INDEX_NOT_USABLE', { details: { index } })
}

function findIndexName({ indexes }: ListConfig, name: string): string | undefined {
  return indexes.find(({ pathName }) => pathName === pathNameKey(name))?.pathName
}

/** The list's id is among the filters, so that a cursor is valid for one list only. */
function itemRequest(config: ListConfig, { request, principal }: ItemListing): ItemPageRequest {
  const { order } = request
  // The order and the cursors would reveal the sizes of values that are removed from the response (contract 2.2).
  if (order === 'size' && principal.mode === 'token' && config.guards.length > 0) {
    throw validationFailed([{ path: 'order', message: 'cannot be size for tokens where the list has guard indexes' }])
  }
  if (isItemOrder(order)) return { ...request, order, filters: JSON.stringify([config.list.id, request.filters]) }
  const index = findIndexName(config, order)
  if (index) throw new AppError('INDEX_NOT_USABLE', { details: { index } })
  const message = `must be one of ${Object.keys(itemOrders).join(', ')}`
  throw validationFailed([{ path: 'order', message }])
}

function isItemOrder(order: string): order is ItemOrder {
  return Object.hasOwn(itemOrders, order)
}

async function pageOptions(
  deps: ItemDeps,
  { list, aliasIndex, guards }: ListConfig,
  { principal, filters, includeData, visibility }: ItemListing & { visibility: ItemVisibilityFilter },
) {
  const { alias, readonly = null, activated = null, tagged = [] } = filters
  const { accountId } = principal
  const isToken = principal.mode === 'token'
  const ownerIds = isToken && principal.identity ? undefined : filters.identityId
  const index = aliasIndex && { id: aliasIndex.valuesId, isText: aliasIndex.valueType === 'string' }
  const set: ItemSet = {
    ...visibleItems(list.id, visibility, isToken ? true : activated),
    ...{ readonly, tagged },
    ownerIds: ownerIds ? await existingIdentityIds(deps.db, { accountId, ids: ownerIds }) : null,
    alias: alias ? { index, filter: alias } : null,
  }
  const isFilter = [alias, ownerIds, filters.readonly, isToken ? undefined : filters.activated, tagged[0]]
  // Without the guarded values `size` is different, and can only be computed from the data.
  const withData = includeData || (isToken && guards.length > 0)
  return { accountId, set, withData, filtered: isFilter.some((filter) => filter !== undefined) }
}

function emptyPage(request: ItemPageRequest): Page<Item> {
  const { limit } = request
  return 'page' in request ? { page: request.page, limit, total: 0, data: [] } : { limit, next: null, data: [] }
}
