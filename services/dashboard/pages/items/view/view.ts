import { filterParameters, isItemFilter, itemFilters, itemOrderNames } from '#shared/domain/item/filters.ts'
import { readSearchOption, type SearchOptionName, withoutSearch } from '#shared/domain/item/questions/search-filter.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import type { SearchMatch, SearchOptions } from '#shared/domain/search/query.ts'
import { type Filter, type FilterField, filterProblem, printFilter, readFilter } from './filters.ts'
import type { ItemsOrder } from './item-orders.ts'

/** What the items page of a list shows. The address contains all of it. */
export type ItemsView = {
  /** Words to search for; null: there is no search. */
  search: string | null
  /** Whether the last word may be a prefix. */
  prefix: boolean
  /** `any`: an item needs at least one of the words; `all`: every word. */
  match: SearchMatch
  filters: readonly Filter[]
  /** The name of an order; null: by creation. */
  order: string | null
  /** Null: the default direction of the order. */
  direction: 'asc' | 'desc' | null
  /** The names of columns; null: the default columns. */
  columns: readonly string[] | null
  /** The cursor of the open page; null: the first page. */
  after: string | null
}

/** A parameter of an address that the page cannot show, and why. */
export type ViewProblem = { parameter: string; message: string }

export const wholeList: ItemsView = {
  search: null,
  prefix: false,
  match: 'any',
  filters: [],
  order: null,
  direction: null,
  columns: null,
  after: null,
}

/** The filters and orders of a list. */
export type Askable = { fields: readonly FilterField[]; orders: readonly ItemsOrder[] }

/**
 * Reads the view from the query of an address. Filters have the names and forms of the API's query. An unknown parameter is a problem: to
 * ignore it would show other items than requested.
 */
export function readView(query: URLSearchParams, askable: Askable): { view: ItemsView; problems: ViewProblem[] } {
  const problems: ViewProblem[] = []
  const filters: Filter[] = []
  const once = (parameter: string) => {
    const [value, ...more] = query.getAll(parameter)
    if (more.length > 0) problems.push(twice(parameter))
    return value || null
  }
  for (const [parameter, source] of query) {
    if (parts.has(parameter) || parameter.startsWith('_')) continue
    const read = readParameter(parameter, source, askable)
    if ('message' in read) problems.push(read)
    else if (isSingle(read.field) && filters.some(({ field }) => field === read.field)) problems.push(twice(parameter))
    else filters.push(read)
  }
  const columns = query.getAll('column')
  const search = once('search')
  const view: ItemsView = {
    search,
    ...readOptions({ prefix: once('prefix'), match: once('match') }, search, problems),
    filters,
    ...readOrder(once('order'), once('direction'), askable, problems),
    columns: columns.length > 0 ? columns : null,
    after: once('after'),
  }
  return { view, problems }
}

/** Reads the options of a search. */
function readOptions(
  sources: Record<SearchOptionName, string | null>,
  search: string | null,
  problems: ViewProblem[],
): Pick<ItemsView, SearchOptionName> {
  const options: SearchOptions = {}
  for (const name of searchOptionNames) {
    const source = sources[name]
    if (source === null) continue
    const read = search === null ? { error: withoutSearch } : readSearchOption(name, source)
    if ('error' in read) problems.push({ parameter: name, message: `${read.error}.` })
    else Object.assign(options, read)
  }
  return { prefix: false, match: 'any', ...options }
}
const searchOptionNames = ['prefix', 'match'] as const

/** Whether a view is only a search: it shows the best matches first. With a filter, an order or a cursor the search is a filter too. */
export function isBest({ search, filters, order, direction, after }: ItemsView): boolean {
  return search !== null && filters.length === 0 && order === null && direction === null && after === null
}

/** Whether a view shows only some of the items. */
export const isFiltered = ({ search, filters }: ItemsView) => search !== null || filters.length > 0

const twice = (parameter: string): ViewProblem => ({ parameter, message: 'may occur only once in the address.' })
/** Whether the API accepts a filter only once. */
const isSingle = (name: string) => name === 'where' || (isItemFilter(name) && !('repeats' in itemFilters[name]))

/** The parameters of a view that are not filters. */
const parts = new Set(['search', ...searchOptionNames, 'order', 'direction', 'after', 'column'])

function readParameter(parameter: string, source: string, { fields }: Askable): Filter | ViewProblem {
  const field = fieldNamed(fields, parameter)
  if (!field) return { parameter, message: 'is not a filter of this list.' }
  const filter = readFilter(field, source)
  const problem = filterProblem(field, filter)
  return problem === null ? filter : { parameter, message: `${problem}.` }
}

function fieldNamed(fields: readonly FilterField[], parameter: string): FilterField | undefined {
  const key = pathNameKey(parameter)
  return (
    fields.find(({ name }) => name === parameter) ??
    fields.find(({ name }) => name === key || (name === `index.${key}` && !isReserved(key)))
  )
}

function readOrder(
  name: string | null,
  direction: string | null,
  { orders }: Askable,
  problems: ViewProblem[],
): Pick<ItemsView, 'order' | 'direction'> {
  const order = name === null ? null : (orderNamed(orders, name) ?? null)
  if (name !== null && !order)
    problems.push({ parameter: 'order', message: `cannot be "${name}": no index has this name.` })
  if (order?.problem) problems.push({ parameter: 'order', message: `cannot be "${name}": ${order.problem}.` })
  const isDirection = direction === 'asc' || direction === 'desc'
  if (direction !== null && !isDirection) problems.push({ parameter: 'direction', message: 'must be asc or desc.' })
  return { order: order?.name ?? null, direction: isDirection ? direction : null }
}

function orderNamed(orders: readonly ItemsOrder[], parameter: string): ItemsOrder | undefined {
  const key = pathNameKey(parameter)
  return (
    orders.find(({ name }) => name === parameter) ?? orders.find(({ name }) => name === key || name === `index.${key}`)
  )
}

/** The query of the address of a view. */
export function viewQuery(
  { search, prefix, match, filters, order, direction, columns, after }: ItemsView,
  { fields }: Askable,
): string {
  const query = new URLSearchParams()
  if (search) {
    query.set('search', search)
    if (prefix) query.set('prefix', 'true')
    if (match !== 'any') query.set('match', match)
  }
  for (const filter of filters) {
    const field = fields.find(({ name }) => name === filter.field)
    if (field) query.append(shortName(filter.field), printFilter(field, filter))
  }
  if (order) query.set('order', shortOrder(order))
  if (direction) query.set('direction', direction)
  for (const column of columns ?? []) query.append('column', column)
  if (after) query.set('after', after)
  return query.toString()
}

/** An order without the prefix `index.`, unless a field has the same name. */
function shortOrder(name: string): string {
  const short = name.replace(/^index\./, '')
  return ownOrders.has(short) ? name : short
}

/** A filter without the prefix `index.`, unless another parameter has the same name. */
function shortName(name: string): string {
  const short = name.replace(/^index\./, '')
  return isReserved(short) ? name : short
}

/** Whether a name has another meaning in a query of the API or of this page. */
function isReserved(name: string): boolean {
  return parts.has(name) || name.startsWith('_') || reserved.has(name.toLowerCase())
}
const otherParameters = [
  'page',
  'limit',
  'includeData',
  'includeGuarded',
  'fields',
  'path',
  'pointer',
  'generate',
  'listId',
  'itemId',
  'indexId',
]
const reserved = new Set([...filterParameters, ...otherParameters].map((name) => name.toLowerCase()))
/** Orders by fields, in lower case: an index may have the same name. */
const ownOrders = new Set(itemOrderNames.map((name) => name.toLowerCase()))
