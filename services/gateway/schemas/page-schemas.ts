import Joi from 'joi'
import type { Direction, Page, PageRequest } from '#shared/data/pages/page.ts'
import type { Fields } from '#shared/domain/fields/field.ts'
import { type FiltersOf, filterParameters } from '#shared/domain/fields/filters.ts'
import { maxTags, page } from '#shared/domain/limits.ts'
import { readTagFilter } from '#shared/domain/tags.ts'
import { matchesText, readTextFilter, type TextFilter } from '#shared/domain/text/filter.ts'
import { didYouMean } from '#shared/domain/text/nearest.ts'
import { validationFailed } from '#shared/errors.ts'
import { joi, type SchemasOf } from './joi.ts'
import { queryBoolean } from './query-schemas.ts'

/** A page's validated query, without the filters. */
export type PageQuery<Order extends string = string> = {
  /** Absent: the first, unless there is `after`. */
  page?: number | undefined
  limit: number
  order: Order
  direction?: Direction
  /** A cursor; empty text is the first page. */
  after?: string
}

/** Filters in a query. One without a value arrives as empty text and counts as not set. */
export type SentFilters<Filters> = { readonly [Name in keyof Filters]?: Filters[Name] | '' | undefined }

/** Longest text of a filter or cursor. */
const maxTextLength = 10_000
const maxTagGroups = 20
/** Tags of all groups together: each item that the most selective group finds is checked against the other groups. */
const maxTagsInAll = 60

/**
 * The query of a page (contract 1.3): `page`, `limit`, `order`, `direction`, `after` and the filters of the resource.
 * @param options.orders the resource's orders; the first is the default
 * @param options.filters the filters, and other parameters of the resource's pages, of the type `Others`
 * @param options.order the schema of `order`, if further orders may be valid; those are checked later
 */
export function pageQuerySchema<Order extends string, Filters, Others = unknown>(options: {
  orders: readonly Order[]
  order?: Joi.Schema
  filters: SchemasOf<Filters & Others>
}): Joi.ObjectSchema<PageQuery<Order> & SentFilters<Filters> & Others> {
  const { orders, order = Joi.valid(...orders).description('The field that orders the rows.'), filters } = options
  return Joi.object({
    ...filters,
    page: Joi.number()
      .integer()
      .min(1)
      .description(
        `The number of the page, from 1, the default; not together with \`after\`. \`page\` times \`limit\` is at most ${page.maxReach}.`,
      ),
    limit: Joi.number()
      .integer()
      .min(1)
      .max(page.maxLimit)
      .default(page.defaultLimit)
      .description('The maximum number of rows on the page.'),
    order: order.default(orders[0]),
    direction: Joi.valid('asc', 'desc').description('The default is `desc` for times and flags, otherwise `asc`.'),
    after: Joi.string()
      .allow('')
      .max(maxTextLength)
      .description(
        'The `next` of the previous page, empty for the first: such pages stay stable while rows are written.',
      ),
  })
}

/** The query of a page of a resource: its orders, the first of which is the default, and the filters on its fields (contract 1.4). */
export function pageQueryOf<Order extends string, F extends Fields>(
  orders: OrderTable<Order>,
  fields: F,
): Joi.ObjectSchema<PageQuery<Order> & SentFilters<FiltersOf<F>>> {
  const names = Object.keys(orders) as Order[]
  return pageQuerySchema<Order, FiltersOf<F>>({ orders: names, filters: filterSchemas(fields) })
}

/** The schemas of the filters on the fields of a resource. */
export function filterSchemas<F extends Fields>(fields: F): SchemasOf<FiltersOf<F>> {
  const filters = filterParameters(fields).map(({ parameter, kind }) => [parameter, schemasOf[kind]()])
  return Object.fromEntries(filters)
}

/** The orders of a resource's pages, and the default direction of each. */
type OrderTable<Order extends string> = Readonly<Record<Order, { direction: Direction }>>

const schemasOf = { flag: flagFilterSchema, text: textFilterSchema, tagged: taggedSchema }

/** A filter on a flag (contract 1.4). */
function flagFilterSchema(): Joi.Schema {
  return queryBoolean().description('Only rows with this value.')
}

/** A filter on text (contract 1.4), as a `TextFilter`. */
export function textFilterSchema(): Joi.Schema {
  return joi
    .string()
    .allow('')
    .max(maxTextLength)
    .check((text: string): TextFilter => readTextFilter(text), { description: textForms })
}

/** The meaning of the prefixes of filters on text, for descriptions. */
export const textPrefixes = 'Prefixes: `eq:` the whole text, `starts:`, `in:a,b` any of these'
const textForms = `A part of the text, ignoring case. ${textPrefixes}.`

/**
 * The same on a field with a fixed set of texts: a filter that none of them passes is an error, because it could never find
 * anything. It may not be empty.
 */
export function choiceFilterSchema(choices: readonly string[]): Joi.StringSchema {
  return joi
    .string()
    .max(maxTextLength)
    .check(
      (text: string, { error }) => {
        const filter = readTextFilter(text)
        if (choices.some((choice) => matchesText(filter, choice))) return filter
        const [first = ''] = filter.kind === 'in' ? filter.texts : [filter.text]
        return error('choice.none', { hint: didYouMean(first, choices) || `: ${choices.join(', ')}` })
      },
      { description: textForms },
    )
    .messages({ 'choice.none': '{{#label}} must match a known value{{#hint}}' })
}

/**
 * The filter `tagged` (contract 1.4), as groups of stored tags: a comma is OR, repeating the parameter is AND.
 * A parameter without a tag is ignored.
 */
export function taggedSchema(): Joi.Schema {
  return joi
    .array()
    .max(maxTagGroups)
    .check(
      (texts: string[], { error }) => {
        const read = texts.map(readTagFilter)
        const wrong = read.find((one) => 'error' in one)
        if (wrong) return error('tagged.form', { why: wrong.error })
        const groups = read.flatMap((one) => ('error' in one ? [] : [one]))
        if (groups.flat().length > maxTagsInAll) return error('tagged.manyInAll', { max: maxTagsInAll })
        return groups.filter(({ length }) => length > 0)
      },
      {
        description: `Tags; a comma is OR, repeating the parameter is AND. At most ${maxTags} tags at once and ${maxTagsInAll} in all.`,
      },
    )
    .items(Joi.string().allow('').max(maxTextLength))
    .single()
    .messages({
      'tagged.form': '{{#label}} {{#why}}',
      'tagged.manyInAll': '{{#label}} must name at most {{#max}} tags in all',
    })
}

/**
 * The request for a page of rows.
 * @param options.direction the order's default, when the query names none
 * @param options.filters the filters that are set, as they were parsed
 * @throws VALIDATION_FAILED for a page both by number and by cursor, and for a page by number beyond `page.maxReach` rows: all rows
 *   before it are read too
 */
export function pageRequest(
  query: PageQuery,
  options: { direction: Direction; filters: Record<string, unknown> },
): PageRequest {
  const { limit, order, direction = options.direction, after } = query
  const common = { limit, order, direction, filters: filtersText(options.filters) }
  if (after !== undefined) {
    if (query.page !== undefined) throw validationFailed([{ path: 'page', message: notBoth }])
    return { ...common, after }
  }
  const number = query.page ?? 1
  if (number * limit > page.maxReach) throw validationFailed([{ path: 'page', message: tooFar }])
  return { ...common, page: number }
}

/** The filters as text, to which a cursor is bound: the same for any order of the filters, and without empty ones. */
function filtersText(filters: Record<string, unknown>): string {
  const each = Object.entries(filters).flatMap(([name, filter]) => [filter].flat().map((one) => [name, one]))
  return each
    .map((one) => JSON.stringify(one))
    .sort()
    .join()
}

const notBoth = 'cannot be combined with after: a page is requested by number or by cursor'
const tooFar = `times limit must be at most ${page.maxReach}; page with after, which reaches every row`

/** A page's validated query, split into the request for the page and the filters on the fields that are set. */
export function parsePage<Order extends string, F extends Fields>(
  query: PageQuery<Order> & SentFilters<FiltersOf<F>>,
  orders: OrderTable<Order>,
  fields: F,
): { filters: FiltersOf<F>; request: PageRequest & { order: Order } } {
  const { order } = query
  const sent: Readonly<Record<string, unknown>> = query
  const parameters = filterParameters(fields).map(({ parameter }) => [parameter, sent[parameter]])
  const filters = setFilters<FiltersOf<F>>(Object.fromEntries(parameters))
  const request = pageRequest(query, { direction: orders[order].direction, filters })
  return { filters, request: { ...request, order } }
}

/** The filters that are set: a parameter without a value is ignored. */
export function setFilters<Filters>(sent: SentFilters<Filters>): Filters {
  const set = Object.entries(sent).filter(([, filter]) => filter !== undefined && filter !== '')
  return Object.fromEntries(set) as Filters
}

/** The JSON text of a page, from the JSON text of its rows. */
export function serializePage<T>({ data, ...page }: Page<T>, serialize: (row: T) => string): string {
  return `${JSON.stringify(page).slice(0, -1)},"data":[${data.map(serialize).join(',')}]}`
}

/** A page with its rows as they are on the wire. */
export function toPageJson<T, Json>(found: Page<T>, toJson: (row: T) => Json): Page<Json> {
  return { ...found, data: found.data.map(toJson) }
}
