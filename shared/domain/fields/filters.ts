import { matchesText, type TextFilter } from '../text/filter.ts'
import type { Field, Fields, ValuesOf } from './field.ts'
import { fieldNames, fieldOf } from './values.ts'

/** The filters of a page that are set (contract 1.4), by their parameters in the query. */
export type FiltersOf<F extends Fields> = {
  [Name in FilterNames<F> as F[Name] extends { kind: 'list' } ? 'tagged' : Name]?: FilterOf<F[Name]>
}

/** The names of the fields that pages can be filtered by. */
export type FilterNames<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { filter: true } ? Name : never
}[keyof F & string]

type FilterOf<F extends Field> = F extends { kind: 'flag' } ? boolean : F extends { kind: 'list' } ? Tagged : TextFilter

/** Groups of stored tags. A resource passes if it has a tag of each group. */
type Tagged = readonly (readonly string[])[]

/** A filter's query parameter, its field, and how it is parsed and compared. */
type FilterParameter = { parameter: string; field: string; kind: 'flag' | 'text' | 'tagged' }

/** The filters that pages of a resource can have, in the order of its fields. */
export function filterParameters(fields: Fields): FilterParameter[] {
  return fieldNames(fields).flatMap((name): FilterParameter[] => {
    const field = fieldOf(fields, name)
    if (!('filter' in field)) return []
    if (field.kind === 'list') return [{ parameter: 'tagged', field: name, kind: 'tagged' }]
    return [{ parameter: name, field: name, kind: field.kind === 'flag' ? 'flag' : 'text' }]
  })
}

/** A filter that is set, and its field. */
export type FieldFilter<Name extends string = string> = { field: Name } & (
  | { kind: 'flag'; filter: boolean }
  | { kind: 'text'; filter: TextFilter }
  | { kind: 'tagged'; filter: Tagged }
)

/** The filters that are set, each with its field. */
export function fieldFilters<F extends Fields>(fields: F, filters: FiltersOf<F>): FieldFilter<FilterNames<F>>[] {
  const values: Readonly<Record<string, unknown>> = filters
  return filterParameters(fields).flatMap(({ parameter, field, kind }) => {
    const filter = values[parameter]
    return filter === undefined ? [] : [{ field, kind, filter } as FieldFilter<FilterNames<F>>]
  })
}

/** A function that checks whether a resource passes all filters. */
export function matcher<F extends Fields>(fields: F, filters: FiltersOf<F>): (resource: ValuesOf<F>) => boolean {
  const set = fieldFilters(fields, filters)
  return (resource: Readonly<Record<string, unknown>>) => set.every((one) => passes(resource[one.field], one))
}

function passes(value: unknown, { kind, filter }: FieldFilter): boolean {
  switch (kind) {
    case 'flag':
      return value === filter
    case 'text':
      return typeof value === 'string' && matchesText(filter, value)
    case 'tagged':
      return Array.isArray(value) && filter.every((tags) => tags.some((tag) => value.includes(tag)))
  }
}
