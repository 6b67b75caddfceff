import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import { setFilters } from '#services/gateway/schemas/page-schemas.ts'
import { pick } from '#shared/domain/fields/values.ts'
import { filterParameters } from '#shared/domain/item/filters.ts'
import type { ItemFilters } from '../questions/filter-schemas.ts'
import type { ListItemsQuery } from '../schemas.ts'
import type { ItemListing } from './page-question.ts'

/** Splits the query of a page of items; its caller knows whether data is shown. */
export function parseListing({
  query,
  otherParameters,
}: ApiRequest<unknown, unknown, ListItemsQuery>): Omit<ItemListing, 'principal' | 'includeData'> {
  // A search that is left out takes its options along: a box that is empty sends them, too.
  const sent = query.search === '' ? { ...query, prefix: undefined, match: undefined } : query
  const filters = setFilters<ItemFilters>(pick(sent, filterParameters))
  return { filters, pageQuery: query, includeGuarded: query.includeGuarded, otherParameters }
}
