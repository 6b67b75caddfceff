import type { Fields } from '#shared/domain/fields/field.ts'
import { type FieldFilter, type FilterNames, type FiltersOf, fieldFilters } from '#shared/domain/fields/filters.ts'
import type { Sql } from '../dialect.ts'
import { beginsWith } from './begins-with.ts'
import { raw, sql } from './sql.ts'
import { inList, jsonArrayContainsAny } from './statements.ts'
import { textFilterPredicate } from './text-filter.ts'

/**
 * Creates a function that returns the conditions of those filters of a page that are set (contract 1.4).
 * @param columns the column of each field that filters; for a text, the case-folded column
 */
export function filterConditionsOf<F extends Fields>(
  fields: F,
  columns: Readonly<Record<FilterNames<F>, string>>,
): (filters: FiltersOf<F>) => Sql[] {
  return (filters) => fieldFilters(fields, filters).flatMap((filter) => toConditions(filter, columns[filter.field]))
}

/**
 * Creates a function that returns a condition for each filter that an index serves: on a flag that is false, because most are true, and
 * on a whole text or its beginning. A filter on a part of a text has no such condition.
 * @param columns those with an index, in which the account precedes them
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
