import { isDeepStrictEqual } from 'node:util'
import { allKeys, type KeySet } from '#shared/domain/item/key-filter.ts'
import type { ValueFilter } from '#shared/domain/item/question.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { Sql } from '../../dialect.ts'
import { joinSql, raw, sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { textFilterPredicate } from '../../sql/text-filter.ts'
import { type Condition, existsIn, type ItemRanges, prefixesOf } from './condition.ts'

/** The most keys whose ranges are merged in order; each is up to eight ranges, by the flags and the position. */
const maxMergedKeys = 8

/** The conditions of a filter: whole keys are ranges of the index, parts of texts are looked for among its entries. */
export function withValue({ indexId, keys, texts, not }: ValueFilter): Condition[] {
  if (not) return [withoutValue({ indexId, keys, texts })]
  const ofKeys = keys === null || (isEveryKey(keys) && texts.length > 0) ? [] : [withKeys(indexId, keys)]
  return texts.length > 0 ? [...ofKeys, withTexts(indexId, texts)] : ofKeys
}

const isEveryKey = (keys: KeySet) => isDeepStrictEqual(keys, allKeys)

/** Items that no entry lets pass. What has no value at all is a range of the index. */
function withoutValue({ indexId, keys, texts }: ValueFilter): Condition {
  const ofKeys = keys === null ? [] : [keysPredicate('v.order_key', keys)]
  const passes = [...ofKeys, ...texts.map((filter) => textFilterPredicate('v.filter_key', filter))]
  const predicate: Condition['predicate'] = (id) => sql`not (${hasEntry(id, indexId, passes)})`
  if (keys === null || !isEveryKey(keys) || texts.length > 0) return { predicate, candidates: null, indexRanges: null }
  const prefixes = [sql`x.index_id = ${indexId} and x.order_key is null`]
  return { predicate, candidates: null, indexRanges: { ...ofEntries, prefixes }, lacks: indexId }
}

/** Items whose entry has one of the keys. */
export function withKeys(indexId: string, keys: KeySet): Condition & { indexRanges: ItemRanges } {
  const predicate: Condition['predicate'] = (id) => hasEntry(id, indexId, [keysPredicate('v.order_key', keys)])
  const entry = sql`x.index_id = ${indexId}`
  const valueRanges = { indexId, keys }
  if (keys.kind === 'range') {
    const prefixes = [sql`${entry} and ${keysPredicate('x.order_key', keys)}`]
    return { predicate, candidates: null, indexRanges: { ...ofEntries, prefixes }, index: indexId, valueRanges }
  }
  const anyOf = { columns: ['item_id', 'created_at'], column: 'order_key', values: keys.keys }
  const found = { predicate, candidates: null, index: indexId, indexRanges: { ...ofEntries, prefixes: [entry], anyOf } }
  if (keys.keys.length > maxMergedKeys) return found
  // The entries with one key are in the order of their items' ids, which is that of creation.
  const prefixes = prefixesOf(keys.keys, (key) => sql`${entry} and x.order_key = ${key}`)
  return { ...found, valueRanges, byCreation: { ...ofEntries, prefixes } }
}

/** Items whose entry has a text that passes: no index has them among the others. */
function withTexts(indexId: string, texts: readonly TextFilter[]): Condition {
  const passes = (row: string) => texts.map((filter) => textFilterPredicate(`${row}.filter_key`, filter))
  return {
    predicate: (id) => hasEntry(id, indexId, passes('v')),
    candidates: null,
    indexRanges: { ...ofEntries, prefixes: [joinSql([sql`x.index_id = ${indexId}`, ...passes('x')], ' and ')] },
    index: indexId,
    scans: true,
  }
}

const ofEntries = { table: 'index_values', id: 'item_id' } as const

function hasEntry(id: string, indexId: string, passes: readonly Sql[]): Sql {
  return existsIn('index_values v', 'v.item_id', id, joinSql([sql`v.index_id = ${indexId}`, ...passes], ' and '))
}

/** The condition that an order key is one of these. */
export function keysPredicate(column: string, keys: KeySet): Sql {
  if (keys.kind === 'any-of')
    return keys.keys.length === 1 ? sql`${raw(column)} = ${keys.keys[0]}` : inList(column, keys.keys)
  const end = keys.end === null ? raw('') : sql` and ${raw(column)} < ${keys.end}`
  return sql`${raw(column)} >= ${keys.min}${end}`
}
