import type { Direction } from '#shared/data/page.ts'
import { type PageQuery, pageRequest, setFilters } from '../../http/page-schemas.ts'
import { type ItemFilters, type ItemListing, itemOrders } from './list-items.ts'

/** Splits the validated query of GET /lists/{list}/items. */
export function parseListing(query: Record<string, unknown>): Omit<ItemListing, 'principal' | 'list'> {
  const { includeData, includeGuarded: _guarded, alias, readonly, activated, identityId, tagged, ...rest } = query
  const { page, limit, order, direction, after, ...others } = rest
  const filters = setFilters({ alias, readonly, activated, identityId, tagged }) as ItemFilters
  const pageQuery = {
    page,
    limit,
    order,
    ...(direction !== undefined && { direction }),
    ...(after !== undefined && { after }),
  } as PageQuery
  return {
    filters,
    request: pageRequest(pageQuery, { direction: defaultDirection(pageQuery.order), filters }),
    includeData: includeData === true,
    otherNames: Object.keys(others),
  }
}

/** An unknown order gets any direction: it is rejected when the list's indexes are known. */
function defaultDirection(order: string): Direction {
  return new Map<string, Direction>(Object.entries(itemOrders)).get(order) ?? 'asc'
}
