import type { Unserved } from '#shared/data/item-pages/read-positions.ts'
import type { ValueFilter } from '#shared/domain/item/questions/question.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'

type Question = {
  /** The `valuesId` of an index, or a field of items. */
  order: string
  values: readonly ValueFilter[]
  /** The names of the other filters that are set. */
  others: readonly string[]
}

/** Why a page of items examines rows that it does not show (contract 1.3). */
export function unservedPart(indexes: readonly ListIndex[], { order, values, others }: Question): Unserved {
  const named = values.map((filter) => ({
    ...filter,
    index: indexes.find(({ valuesId }) => valuesId === filter.indexId),
  }))
  const names = [...others, ...named.map(({ index }) => index?.pathName ?? 'alias')]
  if (others.includes('search')) return { parameter: 'search', advice: servedWords }
  if (others.includes('where')) return { parameter: 'where', advice: servedWhere }
  const part = named.find(({ texts }) => texts.length > 0)
  if (part) {
    const advice = 'Its index finds whole values (eq:, in:), and beginnings (starts:) in the order of the index.'
    return { parameter: part.index?.pathName ?? 'alias', advice }
  }
  const range = named.find(({ keys, indexId }) => keys?.kind === 'range' && indexId !== order)
  if (range?.index) {
    const name = range.index.pathName
    return { parameter: name, advice: range.index.sorting ? `Its index serves it with order=${name}.` : '' }
  }
  if (order !== 'createdAt' && names.length > 0) {
    return { parameter: 'order', advice: 'With order=createdAt an index serves a filter on one value, tag or owner.' }
  }
  return {
    parameter: names.at(-1) ?? 'page',
    advice: names.length > 1 ? 'An index serves one of the filters at a time.' : '',
  }
}

const servedWords =
  'Its index finds words that few items have; GET /lists/{list}/search answers the best ten, however many have them.'

const servedWhere =
  'With order=createdAt an index serves an `or` of whole values (eq:, in:), tags and owners, and with the order of an index one of its values.'
