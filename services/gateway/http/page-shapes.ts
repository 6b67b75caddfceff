import Joi from 'joi'
import type { Direction, Page, PageRequest } from '#shared/data/page.ts'
import { page } from '#shared/domain/limits.ts'
import { readTextFilter, type TextFilter } from '#shared/domain/text-filter.ts'

/** A page's query as its shape leaves it; the filters stand beside these. */
export type PageQuery = {
  page: number
  limit: number
  order: string
  direction?: Direction
  /** A cursor; empty text is the first page. */
  after?: string
}

/** Longest text of a filter or cursor. */
const maxTextLength = 10_000

/**
 * The query of a page (contract 1.3): `page`, `limit`, `order`, `direction`, `after` and the filters of the resource.
 * @param options.orders what the resource can be ordered by; the first is the default
 */
export function pageQuery(options: {
  orders: readonly string[]
  filters: Record<string, Joi.Schema>
}): Joi.ObjectSchema {
  const { orders, filters } = options
  return Joi.object({
    ...filters,
    page: Joi.number().integer().min(1).default(1),
    limit: Joi.number().integer().min(1).max(page.maxLimit).default(page.defaultLimit),
    order: Joi.valid(...orders).default(orders[0]),
    direction: Joi.valid('asc', 'desc'),
    after: Joi.string().allow('').max(maxTextLength),
  })
}

/** A filter on text (contract 1.4), as a `TextFilter`. */
export function textFilterShape(): Joi.Schema {
  return Joi.string()
    .allow('')
    .max(maxTextLength)
    .custom((text: string): TextFilter => readTextFilter(text))
}

/**
 * What is asked of a page.
 * @param options.direction the order's own when the query names none
 * @param options.filters the filters that are set, as they were read
 */
export function pageRequest(
  query: PageQuery,
  options: { direction: Direction; filters: Record<string, unknown> },
): PageRequest {
  const { limit, order, direction = options.direction, after } = query
  const common = { limit, order, direction, filters: JSON.stringify(options.filters) }
  return after === undefined ? { ...common, page: query.page } : { ...common, after }
}

/** A page whose rows are as they go on the wire. */
export function pageBody<T, Shown>(found: Page<T>, show: (row: T) => Shown): Page<Shown> {
  return { ...found, data: found.data.map(show) }
}
