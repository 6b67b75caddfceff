import type { Question } from '#shared/domain/item/question.ts'
import { type LeafReader, readWhere } from '#shared/domain/item/where.ts'
import {
  filteredFields,
  isFilteredField,
  readFieldLeaf,
  readIndexLeaf,
  readTextLeaf,
} from '#shared/domain/item/where-leaf.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { didYouMean, maxHints } from '#shared/domain/text/nearest.ts'
import type { FieldError } from '#shared/errors.ts'
import type { ItemPrincipal } from '../../request/principal.ts'
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
export function readWhereFilter(config: ListConfig, principal: ItemPrincipal, where: string | undefined): WhereFilter {
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

function leafReader(config: ListConfig, principal: ItemPrincipal, use: (index: ListIndex) => void): LeafReader {
  let unknown = 0
  return (name, source) => {
    if (name === 'mine') return readMine(principal, source)
    if (name === 'alias') {
      if (config.aliasIndex) use(config.aliasIndex)
      return readTextLeaf(source, (text) => ({ kind: 'value', ...aliasFilter(config, readAliasFilter(text)) }))
    }
    if (name === 'search') return readSearch(config, source)
    if (isFilteredField(name)) return sizeError(config, principal, name) ?? readFieldLeaf(name, source)
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

const fieldNames = ['alias', 'mine', 'search', ...filteredFields]

function readMine(principal: ItemPrincipal, source: Source): Leaf {
  if (source !== true && source !== 'true') return { error: 'must be true; the contrary is {"not": {"mine": true}}' }
  const id = ownId(principal)
  return id === undefined ? { error: 'needs identity headers' } : { kind: 'owner', ids: [id] }
}

function readSearch(config: ListConfig, source: Source): Leaf {
  if (typeof source !== 'string') return { error: `must be a text, not ${source === null ? 'null' : typeof source}` }
  const read = readSearchFilter(source)
  return 'error' in read ? read : searchQuestion(config, read)
}
