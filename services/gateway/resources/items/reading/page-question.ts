import type { OtherParameters } from '#services/gateway/request/api-request.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { PageQuery } from '#services/gateway/schemas/page-schemas.ts'
import { pageRequest } from '#services/gateway/schemas/page-schemas.ts'
import type { ItemPageRequest } from '#shared/data/item-pages/page.ts'
import type { Unserved } from '#shared/data/item-pages/read-positions.ts'
import type { ItemOrder } from '#shared/domain/item/filters.ts'
import { isItemOrder, isSearchOption, itemOrders, unknownOrder } from '#shared/domain/item/filters.ts'
import { aliasFilter } from '#shared/domain/item/questions/alias-filter.ts'
import type { Question, ValueFilter } from '#shared/domain/item/questions/question.ts'
import { searchQuestion, withoutSearch } from '#shared/domain/item/questions/search-filter.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import type { FieldError } from '#shared/errors.ts'
import { validationFailed } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemFilters } from '../questions/filter-schemas.ts'
import type { AskedFilter } from '../questions/index-filters.ts'
import { findOrderIndex, readIndexFilters } from '../questions/index-filters.ts'
import { filterErrors, hiddenSizes } from '../questions/item-questions.ts'
import { unservedPart } from '../questions/question-advice.ts'
import { readWhereFilter } from '../questions/where-filter.ts'

export type ItemListing = {
  principal: ItemPrincipal
  filters: ItemFilters
  /** The order may be any text. */
  pageQuery: PageQuery
  includeData: boolean
  includeGuarded: boolean
  /** A parameter with the name of an index is a filter on its values; any other is an error. */
  otherParameters: OtherParameters
}

/** The parsed request for a page of items. */
export type PageQuestion = {
  request: ItemPageRequest
  /** Filters on the values of indexes, the alias among them. */
  values: readonly ValueFilter[]
  /** `where` and searched words. */
  questions: readonly Question[]
  /** The indexes that the page uses, which must be built. */
  indexes: ReadonlySet<ListIndex>
  /** Whether it has filters; `activated` does not count. */
  isFiltered: boolean
  /** The part of it that no index serves. */
  unserved: Unserved
}

/** Parses the order, the filters on indexes and words, `where`, and the position of the page. @throws INDEX_NOT_USABLE, VALIDATION_FAILED */
export function readQuestion(config: ListConfig, listing: ItemListing): PageQuestion {
  const { principal, filters } = listing
  const ofIndexes = readIndexFilters(config, listing.otherParameters)
  const isRead = ofIndexes.errors.every(({ path }) => path !== 'where')
  const where = readWhereFilter(config, principal, isRead ? filters.where : undefined)
  const { order, error } = readOrder(config, listing)
  const ofFields = filterErrors(config, principal, filters)
  const ofSearch = searchOptionErrors(filters)
  const errors = [...ofIndexes.errors, ...ofFields, ...ofSearch, ...where.errors, ...(error ? [error] : [])]
  if (!order || errors.length > 0) throw validationFailed(errors)
  const request = itemRequest(config, listing, { order, asked: ofIndexes.asked })
  const values = filters.alias
    ? [...ofIndexes.filters, aliasFilter(config.aliasIndex, filters.alias)]
    : ofIndexes.filters
  return {
    request,
    values,
    questions: [...where.questions, ...searchQuestions(config, filters)],
    indexes: new Set([...ofIndexes.indexes, ...where.indexes, ...usedIndexes(config, listing, order)]),
    isFiltered: isFiltered(filters, values),
    unserved: unservedPart(config.indexes, { order: request.order, values, others: Object.keys(filters) }),
  }
}

function searchQuestions(config: ListConfig, { search, prefix, match }: ItemFilters): Question[] {
  return search ? [searchQuestion(config, { ...search, ...(prefix && { prefix }), ...(match && { match }) })] : []
}

function searchOptionErrors({ search, ...filters }: ItemFilters): FieldError[] {
  if (search) return []
  return Object.keys(filters)
    .filter(isSearchOption)
    .map((path) => ({ path, message: withoutSearch }))
}

type Order = ListIndex | ItemOrder

type OrderOrError = { order: Order; error?: never } | { order?: never; error: FieldError }

/** @throws INDEX_NOT_USABLE */
function readOrder(config: ListConfig, { pageQuery: { order }, principal }: ItemListing): OrderOrError {
  const hidden = order === 'size' ? hiddenSizes(config, principal) : null
  if (hidden) return { error: { path: 'order', message: hidden.order } }
  if (isItemOrder(order)) return { order }
  // A repeated order is an array, which is already an error of the query.
  const index = typeof order === 'string' ? findOrderIndex(config, order) : null
  if (index) return { order: index }
  return { error: { path: 'order', message: unknownOrder } }
}

/** The indexes that a page uses in addition to its filters on index values. */
function usedIndexes({ aliasIndex }: ListConfig, { filters }: ItemListing, order: Order): ListIndex[] {
  const byAlias = filters.alias && aliasIndex ? [aliasIndex] : []
  return typeof order === 'string' ? byAlias : [...byAlias, order]
}

/** The list's id is among the filters, so that a cursor is valid for one list only. */
function itemRequest(
  { list }: ListConfig,
  { pageQuery, filters }: ItemListing,
  { order, asked }: { order: Order; asked: readonly AskedFilter[] },
): ItemPageRequest {
  const all = { ...filters, list: list.id, indexes: asked }
  if (typeof order === 'string') {
    return { ...pageRequest(pageQuery, { direction: itemOrders[order], filters: all }), order }
  }
  const { valuesId, defaultOrderDirection: direction } = order
  return { ...pageRequest(pageQuery, { direction, filters: all }), order: valuesId, orderIndex: valuesId }
}

function isFiltered({ activated: _, ...filters }: ItemFilters, values: readonly ValueFilter[]): boolean {
  return values.length > 0 || Object.values(filters).some((filter) => !Array.isArray(filter) || filter.length > 0)
}
