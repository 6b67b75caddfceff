import type { ItemConditions, Operator } from '#client/src/filters.ts'
import { itemsWhereQuery } from '#client/src/filters.ts'
import { parse, RawNumber } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import type { SearchOptions } from '#shared/domain/search/query.ts'
import { type FilterField, printFilter } from './filters.ts'
import { type ItemsView, isBest } from './view.ts'

/** Items of a page. */
export const pageSize = 100

/** Conditions in the form of the client, by the name of their field; `and`: the `where` filters. */
export type ItemsConditions = Record<string, (Operator<never> | ItemConditions)[]>

/** The conditions of a view. */
export function conditionsOf(
  { filters, search, ...options }: Pick<ItemsView, 'filters' | 'search' | 'prefix' | 'match'>,
  fields: readonly FilterField[],
): ItemsConditions {
  const conditions: ItemsConditions = search === null ? {} : { search: [{ filter: search }] }
  if (search !== null)
    for (const [name, option] of Object.entries(searchOptions(options))) conditions[name] = [{ filter: String(option) }]
  for (const filter of filters) {
    const field = fields.find(({ name }) => name === filter.field)
    if (!field) continue
    const isWhere = field.kind === 'where'
    const name = isWhere ? 'and' : filter.field
    conditions[name] ??= []
    conditions[name].push(isWhere ? readWhere(filter.value) : { filter: printFilter(field, filter) })
  }
  return conditions
}

/** The options of a search that differ from the defaults. */
export function searchOptions({ prefix, match }: Pick<ItemsView, 'prefix' | 'match'>): SearchOptions {
  return { ...(prefix && { prefix }), ...(match !== 'any' && { match }) }
}

const readWhere = (text: string) => conditionsIn(parse(text)) as ItemConditions

/** To the client a text is a whole value, but in `where` it is a condition: wrap it as `filter`. Numbers keep their digits. */
function conditionsIn(value: unknown): unknown {
  if (value === null) return null
  if (typeof value !== 'object' || value instanceof RawNumber) return { filter: String(value) }
  if (Array.isArray(value)) return value.map(conditionsIn)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, conditionsIn(one)]))
}

/** The options of the request for a view's page, without the cursor. */
export function pageOptions(view: ItemsView, fields: readonly FilterField[]) {
  const { order, direction } = view
  return {
    where: conditionsOf(view, fields),
    ...(order ? { order } : {}),
    ...(direction ? { direction } : {}),
    limit: pageSize,
    includeData: true,
  }
}

/** The request for a view's page, as another program would send it. @param list its path name */
export function pageCall(list: string, view: ItemsView, fields: readonly FilterField[]) {
  const handle = `listd.list(${JSON.stringify(list)})`
  if (isBest(view)) {
    const options = { ...searchOptions(view), includeItems: true }
    const sent = Object.entries(options).map(([name, value]) => [name, String(value)])
    return {
      method: 'GET' as const,
      path: `${route`/lists/${list}/search`}?${new URLSearchParams([['query', `${view.search}`], ...sent])}`,
      sdk: `${handle}.search(${JSON.stringify(view.search)}, ${JSON.stringify(options)})`,
    }
  }
  const { where, ...options } = pageOptions(view, fields)
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(itemsWhereQuery(where)))
    for (const value of [values].flat()) query.append(name, String(value))
  for (const [name, value] of Object.entries(options)) query.set(name, String(value))
  query.set('after', view.after ?? '')
  const given = Object.keys(where).length > 0 ? { where: forReaders(where), ...options } : options
  return {
    method: 'GET' as const,
    path: `${route`/lists/${list}/items`}?${query}`,
    sdk: `${handle}.items(${JSON.stringify(given)}).after(${view.after ? JSON.stringify(view.after) : ''})`,
  }
}

/** Conditions in short form: index names without their prefix, which the client adds, and a single condition without an array. */
function forReaders(where: ItemsConditions): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(where).map(([name, filters]) => {
      const short = name.replace(/^index\./, '')
      const isShort = Object.hasOwn(itemsWhereQuery({ [short]: filters }), name)
      return [isShort ? short : name, filters.length > 1 || name === 'and' ? filters : filters[0]]
    }),
  )
}
