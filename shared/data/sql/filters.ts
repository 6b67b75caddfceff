import type { Fields } from '#shared/domain/fields/field.ts'
import { type FieldFilter, type FilterNames, type FiltersOf, fieldFilters } from '#shared/domain/fields/filters.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from './sql.ts'
import { jsonArrayContainsAny } from './statements.ts'
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
