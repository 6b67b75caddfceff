import { isId } from '../../id.ts'
import { readTagFilter } from '../../tags.ts'
import { readTextFilter } from '../../text/filter.ts'
import { readPrefix } from '../../text/filter-prefixes.ts'
import { type FilteredField, itemFilters, withoutValue } from '../filters.ts'
import { readNegation } from './negation.ts'
import { integersOf, readNumberFilter } from './number-filter.ts'
import { negated, type Question } from './question.ts'

/**
 * Parses a filter on a field of items. `null` means without a value, if the field is optional; `not:` negates the filter.
 * @returns the filter, or its error
 */
export function readFieldFilter(field: FilteredField, source: string): Question | { error: string } {
  const { isNot, rest } = readNegation(source)
  const read = readers[field](rest)
  return 'error' in read ? read : negated(read, isNot)
}

type Reader = (source: string) => Question | { error: string }

const readers: Readonly<Record<FilteredField, Reader>> = {
  createdAt: numberReader('createdAt'),
  updatedAt: numberReader('updatedAt'),
  size: numberReader('size'),
  version: (source) => ({ kind: 'version', filter: readTextFilter(source) }),
  readonly: flagReader('readonly'),
  activated: flagReader('activated'),
  tagged: readTags,
  identityId: readOwners,
  id: readItems,
}

function numberReader(field: FilteredField<'date' | 'number'>): Reader {
  return (source) => {
    const filter = readNumberFilter(itemFilters[field].kind, source)
    return 'error' in filter ? filter : { kind: 'number', field, set: integersOf(filter) }
  }
}

function flagReader(field: FilteredField<'flag'>): Reader {
  return (source) => {
    const value = flags.get(source)
    return value === undefined ? { error: 'must be true or false' } : { kind: 'flag', field, value }
  }
}

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

function readTags(source: string): Question | { error: string } {
  if (source === withoutValue) return { kind: 'not', of: { kind: 'tagged', anyOf: null } }
  const anyOf = readTagFilter(source)
  if ('error' in anyOf) return anyOf
  if (anyOf.length === 0) return { error: 'must name a tag' }
  // In a list of tags, `null` would be read as a tag of this name and would not find items without tags.
  if (source.split(',').some((part) => part.trim() === withoutValue)) return { error: 'must have either null or tags' }
  return { kind: 'tagged', anyOf }
}

function readOwners(source: string): Question | { error: string } {
  if (source === withoutValue) return { kind: 'not', of: { kind: 'owner', ids: null } }
  const ids = readIds(source)
  return ids ? { kind: 'owner', ids } : { error: 'must be the id of an identity, or several with in:' }
}

function readItems(source: string): Question | { error: string } {
  const ids = readIds(source)
  return ids ? { kind: 'id', ids } : { error: 'must be the id of an item, or several with in:' }
}

/** Reads one id, optionally with `eq:`, or any of several with `in:a,b`. @returns null for a text that is not an id */
function readIds(source: string): string[] | null {
  const ids = readPrefix('id', source).rest.split(',')
  return ids.every(isId) ? ids : null
}
