import { sealingOf } from '#services/gateway/auth/cursor-sealing.ts'
import { visibleItemsFor } from '#services/gateway/auth/visibility.ts'
import type { OtherParameters } from '#services/gateway/request/api-request.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import { type PageQuery, pageRequest } from '#services/gateway/schemas/page-schemas.ts'
import { Conflict } from '#shared/data/conflict.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import type { CursorSealing, Page } from '#shared/data/pages/page.ts'
import { type ItemOrder, isItemOrder, itemOrders, unknownOrder } from '#shared/domain/item/filters.ts'
import { withoutValuesAt } from '#shared/domain/item/guard.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { aliasFilter } from '#shared/domain/item/questions/alias-filter.ts'
import { asksForDrafts, type Question, type ValueFilter } from '#shared/domain/item/questions/question.ts'
import { asksForWords, searchQuestion } from '#shared/domain/item/questions/search-filter.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { type FieldError, validationFailed } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps } from '../context.ts'
import { assertBuilt } from '../questions/assert-built.ts'
import type { ItemFilters } from '../questions/filter-schemas.ts'
import { type AskedFilter, findOrderIndex, readIndexFilters } from '../questions/index-filters.ts'
import { filterErrors, filteredBy, hidesSizes } from '../questions/item-questions.ts'
import { unservedPart } from '../questions/question-advice.ts'
import { assertWordsBuilt } from '../questions/searched-terms.ts'
import { readWhereFilter } from '../questions/where-filter.ts'
import { assertListed } from './assert-listed.ts'
import { assertVisibleList } from './load-item.ts'
import { hiddenPointers } from './serialize.ts'

export type ItemListing = {
  principal: ItemPrincipal
  filters: ItemFilters
  /** The order may be any text. */
  pageQuery: PageQuery
  includeData: boolean
  includeGuarded: boolean
  /** One with the name of an index is a filter on its values, any other an error. */
  otherParameters: OtherParameters
}

/**
 * One page of the items of a list that the principal may see, without the guarded values that it does not see. The page is
 * bounded by the bytes of what it shows.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, INDEX_NOT_USABLE, INDEX_BUILDING, INDEX_BUILD_FAILED,
 *   VALIDATION_FAILED, QUESTION_TOO_BROAD, SERVICE_UNAVAILABLE
 */
export function listItems(
  deps: ItemDeps,
  listing: ItemListing & { list: string },
): Promise<{ page: Page<Item>; config: ListConfig }> {
  const { principal } = listing
  return withList(deps.lists, { accountId: principal.accountId, ref: listing.list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    return { page: await readListing(deps, config, listing), config }
  })
}

/**
 * The same of a list whose settings are known.
 * @throws as `listItems`; Conflict when `config` is no longer current
 */
export async function readListing(deps: ItemDeps, config: ListConfig, listing: ItemListing): Promise<Page<Item>> {
  const { principal } = listing
  await assertListed(deps, config, principal)
  const { order, values, asked, questions, indexes } = readQuestion(config, listing)
  for (const index of indexes) await assertBuilt(deps.db, index, principal)
  if (asksForWords(questions)) await assertWordsBuilt(deps, config, principal)
  const request = itemRequest(config, listing, { order, asked })
  const options = await pageOptions(deps, config, { ...listing, values, questions })
  if (!options) return emptyPage(request)
  const question = { order: request.order, values: options.set.values, others: Object.keys(listing.filters) }
  const unserved = unservedPart(config.indexes, question)
  const sealing = sealingFor(deps, options)
  const { configVersion, page } = await readItemPage(
    deps.db.long,
    { ...options, unserved },
    { ...request, ...(sealing && { sealing }) },
  )
  if (configVersion !== config.list.configVersion) throw new Conflict('list')
  return page
}

type Asked = {
  order: Order
  values: ValueFilter[]
  asked: AskedFilter[]
  questions: Question[]
  indexes: ReadonlySet<ListIndex>
}

/** The order, what indexes, words and `where` filter by, and the indexes that are used. @throws INDEX_NOT_USABLE, VALIDATION_FAILED */
function readQuestion(config: ListConfig, listing: ItemListing): Asked {
  const { principal, filters } = listing
  const ofIndexes = readIndexFilters(config, listing.otherParameters)
  const isRead = ofIndexes.errors.every(({ path }) => path !== 'where')
  const where = readWhereFilter(config, principal, isRead ? filters.where : undefined)
  const { order, error } = readOrder(config, listing)
  const ofFields = filterErrors(config, principal, filters)
  const errors = [...ofIndexes.errors, ...ofFields, ...where.errors, ...(error ? [error] : [])]
  if (!order || errors.length > 0) throw validationFailed(errors)
  const indexes = new Set([...ofIndexes.indexes, ...where.indexes, ...usedIndexes(config, listing, order)])
  const questions = [...where.questions, ...(filters.search ? [searchQuestion(config, filters.search)] : [])]
  return { order, values: ofIndexes.filters, asked: ofIndexes.asked, questions, indexes }
}

type Order = ListIndex | ItemOrder

type OrderOrError = { order: Order; error?: never } | { order?: never; error: FieldError }

/** @throws INDEX_NOT_USABLE */
function readOrder(config: ListConfig, { pageQuery: { order }, principal }: ItemListing): OrderOrError {
  if (order === 'size' && hidesSizes(config, principal)) {
    return { error: { path: 'order', message: 'cannot be size for tokens where the list has guard indexes' } }
  }
  if (isItemOrder(order)) return { order }
  // One that was repeated is an array, and an error of the query already.
  const index = typeof order === 'string' ? findOrderIndex(config, order) : null
  if (index) return { order: index }
  return { error: { path: 'order', message: unknownOrder } }
}

/** The indexes that a page uses beside its filters on index values. */
function usedIndexes({ aliasIndex }: ListConfig, { filters }: ItemListing, order: Order): ListIndex[] {
  const byAlias = filters.alias && aliasIndex ? [aliasIndex] : []
  return typeof order === 'string' ? byAlias : [...byAlias, order]
}

/** The list's id is among the filters, so that a cursor is valid for one list only. */
function itemRequest(
  { list }: ListConfig,
  { pageQuery, filters }: ItemListing,
  { order, asked }: Pick<Asked, 'order' | 'asked'>,
): ItemPageRequest {
  const all = { ...filters, list: list.id, indexes: asked }
  if (typeof order === 'string') {
    return { ...pageRequest(pageQuery, { direction: itemOrders[order], filters: all }), order }
  }
  const { valuesId, defaultOrderDirection: direction } = order
  return { ...pageRequest(pageQuery, { direction, filters: all }), order: valuesId, orderIndex: valuesId }
}

/** @returns null when the principal sees no item with this flag. @throws VALIDATION_FAILED */
async function pageOptions(
  deps: ItemDeps,
  config: ListConfig,
  { values, questions, ...listing }: ItemListing & Pick<Asked, 'values' | 'questions'>,
) {
  const { list } = config
  const { principal, filters, includeData } = listing
  const { alias } = filters
  const { accountId } = principal
  const ofFlow = principal.mode === 'flow' && asksForDrafts(questions) ? 'any' : undefined
  const visible = visibleItemsFor(principal, list.id, filters.activated ?? ofFlow)
  if (!visible) return null
  const set: ItemSet = {
    ...visible,
    ...(await filteredBy(deps.db, principal, { filters, questions })),
    values: alias ? [...values, aliasFilter(config.aliasIndex, alias)] : values,
  }
  const filtered = isFiltered(filters, values) || isChosenByFlag(principal, set)
  const see = viewOf(config, listing)
  // Without the guarded values `size` is different, and can only be computed from the data.
  return { accountId, set, filtered, withData: includeData || see !== undefined, see }
}

/** A page that ends early may end on an item that the principal does not see. */
function sealingFor(
  { sealer }: ItemDeps,
  { accountId, set }: { accountId: string; set: ItemSet },
): CursorSealing | null {
  if (set.visible.kind === 'all' && !set.drafts) return null
  return sealingOf(sealer, { accountId, rows: set.listId })
}

/** Makes what this principal sees of an item; undefined: all of it. */
function viewOf(
  config: ListConfig,
  { principal, includeData, includeGuarded }: ItemListing,
): ((item: Item) => Item) | undefined {
  if (principal.mode !== 'token' || config.guards.length === 0) return undefined
  return (item) => {
    const seen = withoutValuesAt(item, hiddenPointers({ item, config }, { principal, includeGuarded }))
    return includeData ? seen : { ...seen, data: 'null' }
  }
}

function isFiltered({ activated: _, ...filters }: ItemFilters, values: readonly ValueFilter[]): boolean {
  return values.length > 0 || Object.values(filters).some((filter) => !Array.isArray(filter) || filter.length > 0)
}

/** Whether a page leaves out items by their flag that the principal sees; every page leaves out drafts by default, but for users. */
function isChosenByFlag({ mode }: ItemPrincipal, { activated, drafts }: ItemSet): boolean {
  return mode === 'user' ? activated !== null : activated === false || drafts !== undefined
}

function emptyPage(request: ItemPageRequest): Page<Item> {
  const { limit } = request
  return 'page' in request ? { page: request.page, limit, total: 0, data: [] } : { limit, next: null, data: [] }
}
