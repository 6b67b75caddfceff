import type { ListIndex, ValueType } from '../../list/index-fields.ts'
import { visibleNames } from '../../list/index-names.ts'
import type { SearchOptions } from '../../search/query.ts'
import { didYouMean } from '../../text/nearest.ts'
import { type FilteredField, isFilteredField, itemFilterNames, itemFilters } from '../filters.ts'
import { aliasFilter, readAliasFilter } from './alias-filter.ts'
import { readFieldFilter } from './field-filter.ts'
import { readKeyFilter } from './key-filter.ts'
import { readSearchFilter, searchQuestion } from './search-filter.ts'
import type { LeafReader } from './where.ts'

// The conditions of `where` (contract 1.4) that do not depend on the caller: on fields of items, and on indexes.

type Source = Parameters<LeafReader>[1]
type Leaf = ReturnType<LeafReader>

/** The accepted types of conditions. */
const kinds = {
  text: 'a string or null',
  number: 'a string, a number or null',
  flag: 'a string, true or false',
} as const
type Kind = keyof typeof kinds

function kindOf(kind: string): Kind {
  return kind === 'flag' || kind === 'number' ? kind : 'text'
}

export function readFieldLeaf(field: FilteredField, source: Source): Leaf {
  const text = conditionText(kindOf(itemFilters[field].kind), source)
  return typeof text === 'string' ? readFieldFilter(field, text) : text
}

export function readIndexLeaf({ valuesId: indexId, valueType, arrays }: ListIndex, source: Source): Leaf {
  const text = conditionText(kindOfIndex(valueType), source)
  if (typeof text !== 'string') return text
  const read = readKeyFilter(valueType, text)
  return 'error' in read ? read : { kind: 'value', indexId, ...read, ...(arrays && { arrays }) }
}

export function kindOfIndex(valueType: ValueType): Kind {
  return kindOf(valueType)
}

/** @param index the alias index; null: the list has none, so no item has an alias */
export function readAliasLeaf(index: Parameters<typeof aliasFilter>[0], source: Source): Leaf {
  const text = conditionText('text', source)
  return typeof text === 'string' ? { kind: 'value', ...aliasFilter(index, readAliasFilter(text)) } : text
}

/** @param ownId the identity that requests the items; undefined: none */
export function readMineLeaf(ownId: string | undefined, source: Source): Leaf {
  if (source !== true && source !== 'true') return { error: 'must be true; the opposite is {"not": {"mine": true}}' }
  return ownId === undefined ? { error: 'needs identity headers' } : { kind: 'owner', ids: [ownId] }
}

/** Converts a condition to the text of a parameter: `null` for items without a value. @returns an error if the type is wrong */
export function conditionText(kind: Kind, source: Source): string | { error: string } {
  if (typeof source === 'string') return source
  if (source === null || (kind === 'flag' && typeof source === 'boolean')) return String(source)
  // JSON text may contain numbers beyond the range of doubles. Parsed they are infinite, which is not accepted as a number.
  if (kind === 'number' && typeof source === 'number') return String(source).replace('Infinity', '1e400')
  return { error: `must be ${kinds[kind]}, not ${typeof source}` }
}

/** A condition on words. @param list.termsId the id of the words of its items; null: none */
export function readSearchLeaf(source: Source, list: { termsId: number | null }, options: SearchOptions): Leaf {
  if (typeof source !== 'string') return { error: `must be a string, not ${source === null ? 'null' : typeof source}` }
  const read = readSearchFilter(source)
  return 'error' in read ? read : searchQuestion(list, { ...read, ...options })
}

/** The names of conditions other than indexes, for errors. */
const conditionNames: readonly string[] = [
  ...itemFilterNames.filter((name) => !isFilteredField(name)),
  ...itemFilterNames.filter(isFilteredField),
]

/** The error of an unknown name of a condition. @param indexes of the list */
export function unknownCondition(indexes: readonly ListIndex[], name: string): string {
  const hint = didYouMean(name, [...conditionNames, ...visibleNames(indexes)])
  return `is not known${hint || `; a condition is named like an index of the list, or ${conditionNames.join(', ')}`}`
}
