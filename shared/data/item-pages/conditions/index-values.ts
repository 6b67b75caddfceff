import { isDeepStrictEqual } from 'node:util'
import { allKeys, type KeySet } from '#shared/domain/item/questions/key-filter.ts'
import type { ValueFilter } from '#shared/domain/item/questions/question.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { Sql } from '../../dialect.ts'
import { joinSql, raw, sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { textFilterPredicate } from '../../sql/text-filter.ts'
import { type Condition, existsIn, type ItemRanges, prefixesOf } from './condition.ts'

/**
 * The maximum number of keys whose ranges are merged in order; each key has up to eight ranges, by the flags and the position.
 */
const maxMergedKeys = 8

/** The conditions of a filter: whole keys are ranges of the index, parts of texts are searched among its entries. */
export function withValue(filter: ValueFilter): Condition[] {
  const { indexId, keys, texts } = filter
  if (filter.not) return [withoutValue(filter)]
  if (filter.arrays) return [withElement(filter)]
  const ofKeys = keys === null || (isEveryKey(keys) && texts.length > 0) ? [] : [withKeys(indexId, keys)]
  return texts.length > 0 ? [...ofKeys, withTexts(indexId, texts)] : ofKeys
}

const isEveryKey = (keys: KeySet) => isDeepStrictEqual(keys, allKeys)

/** Items without an entry that passes. Items without any value are a range of the index. */
function withoutValue(filter: ValueFilter): Condition {
  const { indexId, keys, texts, arrays } = filter
  const predicate: Condition['predicate'] = (id) => sql`not (${hasPassingEntry(id, filter)})`
  const checked = { predicate, candidates: null, ...(arrays && { looksThrough: [indexId] }) }
  if (keys === null || !isEveryKey(keys) || texts.length > 0) return { ...checked, indexRanges: null }
  const prefixes = [sql`x.index_id = ${indexId} and x.order_key is null`]
  return { ...checked, indexRanges: { ...ofEntries, prefixes }, lacks: indexId }
}

/**
 * Items with an entry that passes. The least element of an array is in `index_values`, the others are in `index_elements`. Ranges
 * of one table therefore cannot list the items in order of value. They can list them in order of creation, with one range for
 * each key and table.
 */
function withElement(filter: ValueFilter): Condition {
  const { indexId, keys, texts } = filter
  const predicate: Condition['predicate'] = (id) => hasPassingEntry(id, filter)
  const looksThrough = [indexId]
  const found = { predicate, looksThrough, candidates: null, indexRanges: null, index: indexId }
  if (keys === null || (isEveryKey(keys) && texts.length > 0)) return found
  const isBroader = texts.length > 0
  const single =
    keys.kind === 'any-of' && !isBroader ? keys.keys.map((key): KeySet => ({ ...keys, keys: [key] })) : [keys]
  const branches = single.flatMap((ofBranch) => tables.map((table) => inTable(table, { indexId, keys: ofBranch })))
  if (branches.length === 0 || branches.length > maxMergedKeys) return found
  return {
    ...found,
    isExact: !isBroader,
    anyOf: isBroader
      ? branches.map(({ indexRanges, candidates }) => ({ candidates, indexRanges, predicate, looksThrough, isBroader }))
      : branches,
  }
}

const tables = ['index_values', 'index_elements'] as const

/** Items with one of the keys among the entries of one table. */
function inTable(table: (typeof tables)[number], { indexId, keys }: { indexId: string; keys: KeySet }): Condition {
  const isCurrent = (row: string) => (table === 'index_elements' ? sql` and ${isOfRevision(row)}` : raw(''))
  const passes = (row: string) =>
    sql`${raw(row)}.index_id = ${indexId} and ${keysPredicate(`${row}.order_key`, keys)}${isCurrent(row)}`
  const ranges = { table, id: 'item_id', prefixes: [passes('x')] } as const
  return {
    predicate: (id) => existsIn(`${table} v`, 'v.item_id', id, passes('v')),
    ...(table === 'index_elements' && { looksThrough: [indexId] }),
    candidates: null,
    indexRanges: ranges,
    // With one key, an item has one entry in a table.
    ...(keys.kind === 'any-of' && keys.keys.length === 1 && { byCreation: ranges }),
  }
}

function hasPassingEntry(id: string, { indexId, keys, texts, arrays }: ValueFilter): Sql {
  const ofKeys = keys === null ? [] : [keysPredicate('v.order_key', keys)]
  const passes = [...ofKeys, ...texts.map((filter) => textFilterPredicate('v.filter_key', filter))]
  const among = (table: string, ...others: Sql[]) =>
    existsIn(`${table} v`, 'v.item_id', id, joinSql([sql`v.index_id = ${indexId}`, ...passes, ...others], ' and '))
  const ofAll = among('index_values')
  return arrays ? sql`(${ofAll} or ${among('index_elements', isOfRevision('v'))})` : ofAll
}

/**
 * Whether a row is of the item's current revision. An earlier version of the code knows no elements, and leaves those of earlier
 * revisions.
 */
function isOfRevision(row: string): Sql {
  return raw(`${row}.revision = (select r.revision from items r where r.id = ${row}.item_id)`)
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

/** Items whose entry has a text that passes. All entries of the index are read to find them. */
function withTexts(indexId: string, texts: readonly TextFilter[]): Condition {
  const passes = (row: string) => texts.map((filter) => textFilterPredicate(`${row}.filter_key`, filter))
  return {
    predicate: (id) => hasEntry(id, indexId, passes('v')),
    candidates: null,
    indexRanges: { ...ofEntries, prefixes: [joinSql([sql`x.index_id = ${indexId}`, ...passes('x')], ' and ')] },
    index: indexId,
    scans: true,
    parts: { indexId, texts },
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
