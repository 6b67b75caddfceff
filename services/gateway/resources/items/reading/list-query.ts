import type { ApiRequest } from '#services/gateway/request/api-request.ts'
import { setFilters } from '#services/gateway/schemas/page-schemas.ts'
import { pick } from '#shared/domain/fields/values.ts'
import { filterParameters } from '#shared/domain/item/filters.ts'
import type { ItemFilters } from '../questions/filter-schemas.ts'
import type { ListItemsQuery } from '../schemas.ts'
import type { ItemListing } from './page-question.ts'

/** Splits the query of a page of items; the caller decides whether data is shown. */
export function parseListing({
  query,
  otherParameters,
}: ApiRequest<unknown, unknown, ListItemsQuery>): Omit<ItemListing, 'principal' | 'includeData'> {
  // The options of an empty search are ignored: a form sends them even if its search box is empty.
  const sent = query.search === '' ? { ...query, prefix: undefined, match: undefined } : query
  const filters = setFilters<ItemFilters>(pick(sent, filterParameters))
  return { filters, pageQuery: query, includeGuarded: query.includeGuarded, otherParameters }
}
