import type { Batch } from '../background/pacer.ts'
import { timedTransaction } from '../background/timed-transaction.ts'
import { toText, toTextOrNull } from '../columns.ts'
import type { Database, Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { flagRanges } from '../items/item-walk.ts'
import { raw, sql } from '../sql/sql.ts'
import { deleteListed, limitBranch, throughIndex, unionAllOrdered } from '../sql/statements.ts'

/** Values that no index has any more, and the value after which the next batch starts; null: from the first. */
export type ValuePurge = { valuesId: string; from: ValuePosition | null }

/** See `valuesOfRange` for the ranges. */
type ValuePosition = { range: number; lastKey: string | null; lastItemId: string }

/** The values to be purged next; null: none. */
export async function nextValuePurge(db: Queries): Promise<ValuePurge | null> {
  const row = await db.get<{ values_id: string }>(
    sql`select values_id from index_value_purges order by values_id limit 1`,
  )
  return row ? { valuesId: row.values_id, from: null } : null
}

/**
 * Deletes a batch of values that no index has any more, or the purge itself when none is left. No write adds to them: item writes verify
 * the settings version, and batches of a build their step. Continuing after the position of the batch avoids scanning deleted rows, which
 * on Postgres stay in the index until a vacuum.
 */
export async function purgeValues(
  db: Database,
  { valuesId, from }: ValuePurge,
  maxItems: number,
): Promise<Batch & { position: ValuePosition | null }> {
  const next = await nextValues(db, { valuesId, from }, maxItems)
  const ids = next?.ids ?? (await itemsWithElements(db, valuesId, maxItems))
  const ofIndex = sql`index_id = ${valuesId}`
  const { took } = await timedTransaction(db, async (tx) => {
    const deleted = { column: 'item_id', values: ids, and: ofIndex }
    if (next) await tx.run(deleteListed({ table: 'index_values', ...deleted }))
    if (ids.length > 0) await tx.run(deleteListed({ table: 'index_elements', ...deleted }))
    else await tx.run(sql`delete from index_value_purges where values_id = ${valuesId}`)
  })
  return { rows: ids.length, took, more: ids.length > 0, position: next?.position ?? from }
}

/**
 * Items that changed after the deletion of the index have elements but no value, because a change deletes only the elements of indexes that
 * it knows.
 */
async function itemsWithElements(db: Queries, valuesId: string, limit: number): Promise<string[]> {
  const rows = await db.all(sql`select item_id from index_elements where index_id = ${valuesId} limit ${limit}`)
  return [...new Set(rows.map(({ item_id }) => toText(item_id)))]
}

async function nextValues(
  db: Queries,
  { valuesId, from }: ValuePurge,
  limit: number,
): Promise<{ ids: string[]; position: ValuePosition } | null> {
  for (let range = from?.range ?? 0; range < 2 * flagRanges.length; range++) {
    const rows = await valuesOfRange(db, { valuesId, range, behind: range === from?.range ? from : null, limit })
    const last = rows.at(-1)
    if (last) {
      const position = { range, lastKey: toTextOrNull(last.order_key), lastItemId: toText(last.item_id) }
      return { ids: rows.map(({ item_id }) => toText(item_id)), position }
    }
  }
  return null
}

type Range = { valuesId: string; range: number; behind: ValuePosition | null; limit: number }

/**
 * Each combination of two flags has two ranges: the entries with a key, and those without one. Each is read in the order of an index;
 * together they would have to be sorted on some databases, which do not agree on the place of null in an order.
 */
async function valuesOfRange(db: Queries, { valuesId, range, behind, limit }: Range): Promise<Row[]> {
  const [activated, readonly] = flagRanges[range >> 1] ?? flagRanges[0]
  const from = throughIndex('index_values', 'index_values_order_index')
  const entries = (part: Sql) => sql`select item_id, order_key from ${from}
    where index_id = ${valuesId} and activated = ${activated} and readonly = ${readonly} and ${part}`
  const select = (part: Sql, rows: number) => db.all(sql`${entries(part)} order by order_key, item_id limit ${rows}`)
  if (range % 2 === 1) {
    const keyless = entries(behind ? sql`order_key is null and item_id > ${behind.lastItemId}` : noKey)
    const branch = limitBranch(keyless, { order: 'order_key, item_id', limit, offset: 0 })
    return db.all(unionAllOrdered([branch], { order: 'item_id asc', limit, offset: 0 }))
  }
  if (!behind) return select(anyKey, limit)
  // All items may have the same value. The rest of a value is read separately, because MySQL derives no range from two columns.
  const rest = await select(sql`order_key = ${behind.lastKey} and item_id > ${behind.lastItemId}`, limit)
  if (rest.length === limit) return rest
  return [...rest, ...(await select(sql`order_key > ${behind.lastKey}`, limit - rest.length))]
}

const noKey = raw('order_key is null')
const anyKey = raw('order_key is not null')
