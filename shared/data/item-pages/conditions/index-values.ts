import type { KeySet } from '#shared/domain/item/key-filter.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { Sql } from '../../dialect.ts'
import { joinSql, raw, sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'
import { textFilterPredicate } from '../../sql/text-filter.ts'
import { type Condition, existsIn, type ItemRanges } from './condition.ts'

/** A filter on the entries of an index; `keys` null: only the texts count, which values of any type may have. */
export type ValueFilter = { indexId: string; keys: KeySet | null; texts: readonly TextFilter[] }

/** The most keys whose ranges are merged in order; each is up to eight ranges, by the flags and the position. */
const maxMergedKeys = 8

/** Filters on whole keys are ranges of the index; for a part of a text all entries of the index are read (contract 1.4). */
export function withValue({ indexId, keys, texts }: ValueFilter): Condition & { indexRanges: ItemRanges } {
  const entry = (row: string, ...hasKey: Sql[]) => {
    const passes = texts.map((filter) => textFilterPredicate(`${row}.filter_key`, filter))
    return joinSql([sql`${raw(`${row}.index_id = `)}${indexId}`, ...hasKey, ...passes], ' and ')
  }
  const hasKey = (row: string) => (keys === null ? [] : [keysPredicate(`${row}.order_key`, keys)])
  const isOfSome = keys?.kind === 'any-of'
  const isInOrder = keys !== null && !(isOfSome && keys.keys.length > maxMergedKeys)
  return {
    predicate: (id) => existsIn('index_values v', 'v.item_id', id, entry('v', ...hasKey('v'))),
    candidates: null,
    indexRanges: {
      table: 'index_values',
      id: 'item_id',
      ...(isOfSome
        ? {
            prefixes: [entry('x')],
            anyOf: { columns: ['item_id', 'created_at'], column: 'order_key', values: keys.keys },
          }
        : { prefixes: [entry('x', ...hasKey('x'))] }),
    },
    scans: texts.length > 0 && !isOfSome,
    ...(isInOrder && { valueRanges: { indexId, keys, texts } }),
  }
}

/** The condition that an order key is one of these. */
export function keysPredicate(column: string, keys: KeySet): Sql {
  if (keys.kind === 'any-of')
    return keys.keys.length === 1 ? sql`${raw(column)} = ${keys.keys[0]}` : inList(column, keys.keys)
  const end = keys.end === null ? raw('') : sql` and ${raw(column)} < ${keys.end}`
  return sql`${raw(column)} >= ${keys.min}${end}`
}
