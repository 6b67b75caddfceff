import type { Fields } from '#shared/domain/fields/field.ts'
import { type FieldFilter, type FilterNames, type FiltersOf, fieldFilters } from '#shared/domain/fields/filters.ts'
import type { Sql } from '../dialect.ts'
import { beginsWith } from './begins-with.ts'
import { raw, sql } from './sql.ts'
import { inList, jsonArrayContainsAny } from './statements.ts'
import { textFilterPredicate } from './text-filter.ts'

/**
 * A function that gives the conditions of the filters of a page that are set (contract 1.4).
 * @param columns of each field that filters its column; of a text the one that holds it case-folded
 */
export function filterConditionsOf<F extends Fields>(
  fields: F,
  columns: Readonly<Record<FilterNames<F>, string>>,
): (filters: FiltersOf<F>) => Sql[] {
  return (filters) => fieldFilters(fields, filters).flatMap((filter) => toConditions(filter, columns[filter.field]))
}

/**
 * A function that gives a condition for each filter that an index serves: on a flag that is false, as most are true, and on a whole text
 * or its beginning. A filter on a part of a text has none.
 * @param columns those with an index, in which the account comes before them
 */
export function indexedFiltersOf<F extends Fields>(
  fields: F,
  columns: Readonly<Partial<Record<FilterNames<F>, string>>>,
): (filters: FiltersOf<F>) => Sql[] {
  return (filters) =>
    fieldFilters(fields, filters).flatMap((filter) => {
      const column = columns[filter.field]
      return column === undefined ? [] : toRanges(filter, column)
    })
}

function toRanges({ kind, filter }: FieldFilter, column: string): Sql[] {
  if (kind === 'flag') return filter ? [] : [sql`${raw(column)} = 0`]
  if (kind === 'tagged' || filter.kind === 'contains') return []
  if (filter.kind !== 'starts') return [inList(column, filter.kind === 'in' ? filter.texts : [filter.text])]
  return [beginsWith(column, filter.text)]
}

function toConditions({ kind, filter }: FieldFilter, column: string): Sql[] {
  switch (kind) {
    case 'flag':
      return [sql`${raw(column)} = ${Number(filter)}`]
    case 'text':
      return [textFilterPredicate(column, filter)]
    case 'tagged':
      return filter.map((tags) => jsonArrayContainsAny(column, tags))
  }
}
