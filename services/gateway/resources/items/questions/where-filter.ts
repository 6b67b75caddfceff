import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import { isFilteredField } from '#shared/domain/item/filters.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { type LeafReader, readWhere } from '#shared/domain/item/questions/where.ts'
import {
  readAliasLeaf,
  readFieldLeaf,
  readIndexLeaf,
  readMineLeaf,
  readSearchLeaf,
  unknownCondition,
} from '#shared/domain/item/questions/where-leaf.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { maxHints } from '#shared/domain/text/nearest.ts'
import type { FieldError } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import { findFilterIndex } from './index-filters.ts'
import { ownId, sizeError } from './item-questions.ts'

/** The condition of `where`, the indexes that it uses, and its errors. */
export type WhereFilter = { questions: Question[]; indexes: ListIndex[]; errors: readonly FieldError[] }

/**
 * Reads the parameter `where` (contract 1.4): its conditions have the names and forms of the other parameters.
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

function leafReader(config: ListConfig, principal: ItemPrincipal, use: (index: ListIndex) => void): LeafReader {
  let unknown = 0
  return (name, source, options) => {
    if (name === 'mine') return readMineLeaf(ownId(principal), source)
    if (name === 'alias') {
      if (config.aliasIndex) use(config.aliasIndex)
      return readAliasLeaf(config.aliasIndex, source)
    }
    if (name === 'search') return readSearchLeaf(source, config, options)
    if (isFilteredField(name)) return sizeError(config, principal, name) ?? readFieldLeaf(name, source)
    const index = findFilterIndex(config, name)
    if (!index) return { error: unknown++ < maxHints ? unknownCondition(config.indexes, name) : 'is not known' }
    use(index)
    return readIndexLeaf(index, source)
  }
}
