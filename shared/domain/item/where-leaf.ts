import type { ListIndex } from '../list/index-fields.ts'
import { toldNames } from '../list/index-names.ts'
import { didYouMean } from '../text/nearest.ts'
import { type FilteredField, readFieldFilter } from './field-filter.ts'
import { readKeyFilter } from './key-filter.ts'
import { readSearchFilter, searchQuestion } from './search-filter.ts'
import type { LeafReader } from './where.ts'

// The conditions of `where` (contract 1.4) that mean the same for everybody: on fields of items, and on indexes.

type Source = Parameters<LeafReader>[1]
type Leaf = ReturnType<LeafReader>

/** What each field may be beside a text and null. */
const fields: Record<FilteredField, 'text' | 'number' | 'flag'> = {
  readonly: 'flag',
  activated: 'flag',
  identityId: 'text',
  tagged: 'text',
  createdAt: 'text',
  updatedAt: 'text',
  version: 'text',
  size: 'number',
}

const filteredFields: readonly string[] = Object.keys(fields)

/** The names of conditions that are not those of indexes. */
export const conditionNames: readonly string[] = ['alias', 'mine', 'search', ...filteredFields]

export function isFilteredField(name: string): name is FilteredField {
  return Object.hasOwn(fields, name)
}

export function readFieldLeaf(field: FilteredField, source: Source): Leaf {
  const kind = fields[field]
  if (kind === 'flag' && typeof source === 'boolean') return readFieldFilter(field, String(source))
  if (kind === 'number' && typeof source === 'number') return readFieldFilter(field, String(source))
  return readTextLeaf(source, (text) => readFieldFilter(field, text))
}

export function readIndexLeaf({ valuesId: indexId, valueType, arrays }: ListIndex, source: Source): Leaf {
  const text = valueType === 'number' && typeof source === 'number' ? String(source) : source
  return readTextLeaf(text, (filter) => {
    const read = readKeyFilter(valueType, filter)
    return 'error' in read ? read : { kind: 'value', indexId, ...read, ...(arrays && { arrays }) }
  })
}

/** A condition that is a text, or null for what is without a value. */
export function readTextLeaf(source: Source, read: (text: string) => Leaf): Leaf {
  if (typeof source !== 'string' && source !== null) return { error: `must be a text or null, not ${typeof source}` }
  return read(source ?? 'null')
}

/** A condition on words. @param list.termsId of the words of its items; null: it has none */
export function readSearchLeaf(source: Source, list: { termsId: number | null }): Leaf {
  if (typeof source !== 'string') return { error: `must be a text, not ${source === null ? 'null' : typeof source}` }
  const read = readSearchFilter(source)
  return 'error' in read ? read : searchQuestion(list, read)
}

/** What is wrong with the name of a condition that is none. @param indexes of the list */
export function unknownCondition(indexes: readonly ListIndex[], name: string): string {
  const hint = didYouMean(name, [...conditionNames, ...toldNames(indexes)])
  return `is not known${hint || `; a condition is named like an index of the list, or ${conditionNames.join(', ')}`}`
}
