import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import { setFilters } from '#services/gateway/schemas/page-schemas.ts'
import type { ItemFilters } from '../questions/filter-schemas.ts'
import type { ListItemsQuery } from '../schemas.ts'
import type { ItemListing } from './page-question.ts'

/** Splits the query of a page of items; its caller knows whether data is shown. */
export function parseListing({
  query,
  otherParameters,
}: ApiRequest<unknown, unknown, ListItemsQuery>): Omit<ItemListing, 'principal' | 'includeData'> {
  const { includeGuarded, fields, path, alias, readonly, activated, identityId, mine, tagged, ...others } = query
  const { createdAt, updatedAt, version, size, search, where, ...pageQuery } = others
  const ofItems = {
    alias,
    readonly,
    activated,
    identityId,
    mine,
    tagged,
    createdAt,
    updatedAt,
    version,
    size,
    search,
    where,
  }
  return {
    filters: setFilters<ItemFilters>(ofItems),
    pageQuery,
    includeGuarded,
    otherParameters,
  }
}
