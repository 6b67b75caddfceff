import { isId } from '../../id.ts'
import { readTagFilter } from '../../tags.ts'
import { readTextFilter } from '../../text/filter.ts'
import { readNegation } from './negation.ts'
import { integersOf, readNumberFilter } from './number-filter.ts'
import { negated, type Question } from './question.ts'

/** The fields of items that filters name (contract 1.4), beside the alias and `mine`. */
export type FilteredField = keyof typeof readers

/**
 * Parses a filter on a field of items: `null` is without a value, where it can be; behind `not:` is the contrary.
 * @returns what is wrong with it, if anything
 */
export function readFieldFilter(field: FilteredField, source: string): Question | { error: string } {
  const { isNot, rest } = readNegation(source)
  const read = readers[field](rest)
  return 'error' in read ? read : negated(read, isNot)
}

type Reader = (source: string) => Question | { error: string }

const readers = {
  createdAt: numberReader('createdAt', 'date'),
  updatedAt: numberReader('updatedAt', 'date'),
  size: numberReader('size', 'number'),
  version: (source) => ({ kind: 'version', filter: readTextFilter(source) }),
  readonly: flagReader('readonly'),
  activated: flagReader('activated'),
  tagged: readTags,
  identityId: readOwners,
} satisfies Record<string, Reader>

function numberReader(field: 'createdAt' | 'updatedAt' | 'size', kind: 'date' | 'number'): Reader {
  return (source) => {
    const filter = readNumberFilter(kind, source)
    return 'error' in filter ? filter : { kind: 'number', field, set: integersOf(filter) }
  }
}

function flagReader(field: 'readonly' | 'activated'): Reader {
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
  if (source === 'null') return { kind: 'not', of: { kind: 'tagged', anyOf: null } }
  const anyOf = readTagFilter(source)
  if ('error' in anyOf) return anyOf
  if (anyOf.length === 0) return { error: 'must name a tag' }
  // Beside others it would be read as a tag of this name, and leave out the items without tags.
  if (source.split(',').some((part) => part.trim() === 'null'))
    return { error: 'must have null alone, without tags beside it' }
  return { kind: 'tagged', anyOf }
}

/** An id, exactly; `eq:` before it changes nothing, `in:a,b` is any of several. */
function readOwners(source: string): Question | { error: string } {
  if (source === 'null') return { kind: 'not', of: { kind: 'owner', ids: null } }
  const ids = source.replace(/^(eq|in):/, '').split(',')
  return ids.every(isId) ? { kind: 'owner', ids } : { error: 'must be the id of an identity, or several behind in:' }
}
