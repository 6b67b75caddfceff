import { type PageQuery, setFilters } from '../../http/page-schemas.ts'
import type { ItemFilters, ItemListing } from './list-items.ts'

/** Splits the validated query of GET /lists/{list}/items. */
export function parseListing(query: Record<string, unknown>): Omit<ItemListing, 'principal' | 'list'> {
  const { includeData, includeGuarded: _guarded, alias, readonly, activated, identityId, mine, tagged, ...rest } = query
  const { page, limit, order, direction, after, ...otherParameters } = rest
  const pageQuery = {
    page,
    limit,
    order,
    ...(direction !== undefined && { direction }),
    ...(after !== undefined && { after }),
  } as PageQuery
  return {
    filters: setFilters({ alias, readonly, activated, identityId, mine, tagged }) as ItemFilters,
    pageQuery,
    includeData: includeData === true,
    otherParameters,
  }
}
