import type { ListIndex } from '../../list/index-fields.ts'
import { readTextFilter, type TextFilter } from '../../text/filter.ts'
import { withoutValue } from '../filters.ts'
import { filterKeyFilter, textKeyFilter } from './key-filter.ts'
import { readNegation } from './negation.ts'
import type { ValueFilter } from './question.ts'

/** A filter on the alias; `filter` null: any alias. */
export type AliasFilter = { filter: TextFilter | null; isNot: boolean }

/** Reads a filter on the alias, as in a query and in `where`. */
export function readAliasFilter(source: string): AliasFilter {
  const { isNot, rest } = readNegation(source)
  return rest === withoutValue ? { filter: null, isNot: !isNot } : { filter: readTextFilter(rest), isNot }
}

/** The filter on the values of the list's alias index; null: there is none, so no item has an alias. */
export function aliasFilter(index: Pick<ListIndex, 'valuesId' | 'valueType'> | null, sent: AliasFilter): ValueFilter {
  return { ...hasAlias(index, sent.filter), ...(sent.isNot && { not: true }) }
}

function hasAlias(index: Pick<ListIndex, 'valuesId' | 'valueType'> | null, sent: AliasFilter['filter']): ValueFilter {
  if (!index) return { indexId: '', keys: { kind: 'any-of', keys: [] }, texts: [] }
  const { valuesId: indexId, valueType } = index
  const filter = sent ?? anyText
  const { keys, texts } = textKeyFilter(filter)
  // The order keys of numbers and dates differ from those of their text.
  return valueType === 'string' ? { indexId, keys, texts } : { indexId, keys: null, texts: [filterKeyFilter(filter)] }
}

const anyText = { kind: 'starts', text: '' } as const
