import { unknownParameters } from '#services/gateway/http/input/unknown-parameters.ts'
import type { OtherParameters } from '#services/gateway/request/api-request.ts'
import { withPlus } from '#services/gateway/schemas/query-schemas.ts'
import { allKeyFilters, type KeyFilter, readKeyFilter } from '#shared/domain/item/questions/key-filter.ts'
import { isEmptyFilter } from '#shared/domain/item/questions/negation.ts'
import type { ValueFilter } from '#shared/domain/item/questions/question.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { indexNamed, visibleNames } from '#shared/domain/list/index-names.ts'
import { indexNotUsable } from '#shared/domain/list/index-not-usable.ts'
import type { FieldError } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'

/** The most filters on index values of one page: each is checked for every item that another one finds. */
const maxFilters = 20
/** Characters of one filter. */
const maxFilterLength = 10_000

/** The filters on index values of a query, the indexes that they use, and the errors of all its parameters. */
type IndexFilters = {
  filters: ValueFilter[]
  /** The same filters as the request has them, for cursors: they do not depend on the values that an index has now. */
  asked: AskedFilter[]
  indexes: ListIndex[]
  errors: FieldError[]
}

/** A filter with the id of its index's values. */
export type AskedFilter = readonly [valuesId: string, filter: KeyFilter]

/**
 * Reads the parameters that have the path names of indexes, optionally with the prefix `index.` (contract 1.4). If a parameter is
 * repeated, an item must pass each; a parameter without a value is ignored. A parameter that is not the name of an index is an error.
 * @throws INDEX_NOT_USABLE
 */
export function readIndexFilters(config: ListConfig, parameters: OtherParameters): IndexFilters {
  const errors = [...parameters.errors, ...unknownErrors(config, parameters)]
  const named = Object.entries(parameters.values).flatMap(([name, value]) => {
    const index = indexNamed(config.indexes, name)
    const sources = [value].flat().filter((source) => typeof source === 'string')
    return index ? sources.filter(isSet).map((source) => ({ name, index, source })) : []
  })
  if (named.length > maxFilters)
    errors.push({ path: 'query', message: `must have at most ${maxFilters} filters on indexes` })
  const byIndex = new Map<ListIndex, KeyFilter[]>()
  for (const { name, index, source } of named) {
    assertUsable(index, 'filtering')
    const filter = readSource(index, source)
    if ('error' in filter) errors.push({ path: name, message: filter.error })
    else byIndex.set(index, [...(byIndex.get(index) ?? []), filter])
  }
  const filters = [...byIndex].flatMap(([{ valuesId: indexId, arrays }, sent]) =>
    // Each filter may be passed by a different element of the array.
    arrays
      ? sent.map((filter) => ({ indexId, ...filter, arrays }))
      : allKeyFilters(sent).map((filter) => ({ indexId, ...filter })),
  )
  const asked = [...byIndex].flatMap(([{ valuesId }, sent]) => sent.map((filter): AskedFilter => [valuesId, filter]))
  return { filters, asked, indexes: [...byIndex.keys()], errors }
}

const isSet = (source: string) => !isEmptyFilter(source)

function unknownErrors(config: ListConfig, { values, routeParameters }: OtherParameters): FieldError[] {
  const unknown = Object.keys(values).filter((name) => !indexNamed(config.indexes, name))
  if (unknown.length === 0) return []
  const others = { names: visibleNames(config.indexes), description: "the path names of the list's indexes" }
  return unknownParameters(unknown, { parameters: routeParameters, others })
}

/** The index that a condition names. @throws INDEX_NOT_USABLE; null: no index has this name */
export function findFilterIndex(config: ListConfig, name: string): ListIndex | null {
  const index = indexNamed(config.indexes, name)
  if (index) assertUsable(index, 'filtering')
  return index ?? null
}

/** The index that the items are ordered by. @throws INDEX_NOT_USABLE; null: no index has this name */
export function findOrderIndex(config: ListConfig, order: string): ListIndex | null {
  const index = indexNamed(config.indexes, order)
  if (index) assertUsable(index, 'sorting')
  return index ?? null
}

function assertUsable(index: ListIndex, use: 'filtering' | 'sorting'): void {
  const error = indexNotUsable(index, use)
  if (error) throw error
}

function readSource({ valueType }: ListIndex, source: string): KeyFilter | { error: string } {
  if (source.length > maxFilterLength) return { error: `must be at most ${maxFilterLength} characters long` }
  return readKeyFilter(valueType, valueType === 'date' ? withPlus(source) : source)
}
