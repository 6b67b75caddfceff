import { type FilteredField, readFieldFilter } from '#shared/domain/item/field-filter.ts'
import { readKeyFilter } from '#shared/domain/item/key-filter.ts'
import type { Question } from '#shared/domain/item/question.ts'
import { type LeafReader, readWhere } from '#shared/domain/item/where.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { didYouMean, maxHints } from '#shared/domain/text/nearest.ts'
import type { FieldError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import { readAliasFilter } from './filter-schemas.ts'
import { aliasFilter, findFilterIndex, toldNames } from './index-filters.ts'
import { ownId, sizeError } from './item-questions.ts'
import { readSearchFilter, searchQuestion } from './search-filter.ts'

/** What `where` asks, the indexes that it uses, and its errors. */
export type WhereFilter = { questions: Question[]; indexes: ListIndex[]; errors: readonly FieldError[] }

/**
 * Reads the parameter `where` (contract 1.4): its conditions are those that other parameters have, by the same names.
 * @throws INDEX_NOT_USABLE
 */
export function readWhereFilter(
  config: ListConfig,
  principal: AuthenticatedPrincipal,
  where: string | undefined,
): WhereFilter {
  if (where === undefined) return { questions: [], indexes: [], errors: [] }
  const indexes = new Set<ListIndex>()
  const read = readWhere(
    where,
    leafReader(config, principal, (index) => indexes.add(index)),
  )
  const found = 'errors' in read ? { questions: [], errors: read.errors } : { questions: [read.question], errors: [] }
  return { ...found, indexes: [...indexes] }
}

type Source = Parameters<LeafReader>[1]
type Leaf = ReturnType<LeafReader>

function leafReader(
  config: ListConfig,
  principal: AuthenticatedPrincipal,
  use: (index: ListIndex) => void,
): LeafReader {
  let unknown = 0
  return (name, source) => {
    if (name === 'mine') return readMine(principal, source)
    if (name === 'alias') {
      if (config.aliasIndex) use(config.aliasIndex)
      return readText(source, (text) => ({ kind: 'value', ...aliasFilter(config, readAliasFilter(text)) }))
    }
    if (name === 'search') return readSearch(config, source)
    if (isField(name)) return sizeError(config, principal, name) ?? readField(name, source)
    const index = findFilterIndex(config, name)
    if (!index) return { error: `is not known${unknown++ < maxHints ? hintFor(config, name) : ''}` }
    use(index)
    return readIndexLeaf(index, source)
  }
}

function hintFor(config: ListConfig, name: string): string {
  const hint = didYouMean(name, [...fieldNames, ...toldNames(config)])
  return hint || `; a condition is named like an index of the list, or ${fieldNames.join(', ')}`
}

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

const fieldNames = ['alias', 'mine', 'search', ...Object.keys(fields)]

function isField(name: string): name is FilteredField {
  return Object.hasOwn(fields, name)
}

function readField(field: FilteredField, source: Source): Leaf {
  const kind = fields[field]
  if (kind === 'flag' && typeof source === 'boolean') return readFieldFilter(field, String(source))
  if (kind === 'number' && typeof source === 'number') return readFieldFilter(field, String(source))
  return readText(source, (text) => readFieldFilter(field, text))
}

function readIndexLeaf({ valuesId: indexId, valueType, arrays }: ListIndex, source: Source): Leaf {
  const text = valueType === 'number' && typeof source === 'number' ? String(source) : source
  return readText(text, (filter) => {
    const read = readKeyFilter(valueType, filter)
    return 'error' in read ? read : { kind: 'value', indexId, ...read, ...(arrays && { arrays }) }
  })
}

function readMine(principal: AuthenticatedPrincipal, source: Source): Leaf {
  if (source !== true && source !== 'true') return { error: 'must be true; the contrary is {"not": {"mine": true}}' }
  const id = ownId(principal)
  return id === undefined ? { error: 'needs identity headers' } : { kind: 'owner', ids: [id] }
}

function readSearch(config: ListConfig, source: Source): Leaf {
  if (typeof source !== 'string') return { error: `must be a text, not ${source === null ? 'null' : typeof source}` }
  const read = readSearchFilter(source)
  return 'error' in read ? read : searchQuestion(config, read)
}

function readText(source: Source, read: (text: string) => Leaf): Leaf {
  if (typeof source !== 'string' && source !== null) return { error: `must be a text or null, not ${typeof source}` }
  return read(source ?? 'null')
}
