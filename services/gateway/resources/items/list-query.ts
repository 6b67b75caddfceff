import type { ApiRequest } from '../../request/route.ts'
import { type PageQuery, setFilters } from '../../schemas/page-schemas.ts'
import type { ItemFilters, ItemListing } from './list-items.ts'

/** Splits the query of GET /lists/{list}/items. */
export function parseListing({ query, otherParameters }: ApiRequest): Omit<ItemListing, 'principal' | 'list'> {
  const { includeData, includeGuarded, alias, readonly, activated, identityId, mine, tagged } = query
  const { page, limit, order, direction, after } = query
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
    includeGuarded: includeGuarded === true,
    otherParameters,
  }
}
