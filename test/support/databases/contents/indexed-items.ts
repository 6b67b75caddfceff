import { createHash } from 'node:crypto'
import type { Database } from '#shared/data/database.ts'
import { itemRows } from '#shared/data/items/columns.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { valueAt } from '#shared/json/pointer.ts'
import { testId, testItem } from './rows.ts'

/** Stores items with this data and without index values, as before the index existed. @returns their ids */
export async function storeItems(
  db: Database,
  at: { accountId: string; listId: string },
  data: readonly unknown[],
): Promise<string[]> {
  const items = data.map((value, n) => {
    const text = JSON.stringify(value)
    return { ...testItem(at, testId(), 1), createdAt: n, data: text, size: Buffer.byteLength(text) }
  })
  await db.transaction(async (tx) => {
    await insertRows(tx, itemRows(items))
    await tx.run('update lists set item_count = item_count + ? where id = ?', [items.length, at.listId])
  })
  return items.map(({ id }) => id)
}

type StoredValue = {
  item_id: string
  created_at: number
  activated: number
  readonly: number
  order_key: string | null
  filter_key: string | null
  alias_hash: string | null
}

/** The entries of an index, by item. */
export async function valuesOf(db: Database, indexId: string): Promise<StoredValue[]> {
  return db.all<StoredValue>(
    `select v.item_id, v.created_at, v.activated, v.readonly, v.order_key, v.filter_key, v.alias_hash
     from index_values v join indexes x on x.values_id = v.index_id where x.id = ? order by v.item_id`,
    [indexId],
  )
}

/** The entries that an index on ASCII strings must have: computed from every stored item, without the product's code. */
export async function expectedValues(db: Database, indexId: string): Promise<StoredValue[]> {
  const index = await db.get<{ pointer: string; alias: unknown; list_id: string }>(
    'select pointer, alias, list_id from indexes where id = ?',
    [indexId],
  )
  const items = await db.all<{ id: string; created_at: number; data: string; activated: number; readonly: number }>(
    'select id, created_at, data, activated, readonly from items where list_id = ? order by id',
    [index?.list_id],
  )
  return items.map(({ id, created_at, data, activated, readonly }) => {
    const value = valueAt(JSON.parse(data), index?.pointer ?? '')
    const flags = { activated, readonly }
    const entry = { item_id: id, created_at, ...flags, order_key: null, filter_key: null, alias_hash: null }
    if (typeof value !== 'string') return entry
    const hash = createHash('sha256').update(value).digest('hex')
    const key = value.toLowerCase()
    return { ...entry, order_key: key, filter_key: key, alias_hash: Number(index?.alias) === 1 ? hash : null }
  })
}

/** The remaining builds and purges. */
export async function indexWorkOf(db: Database): Promise<{ builds: number; purges: number; values: number }> {
  const row = await db.get<{ builds: number; purges: number; stray: number }>(
    `select (select count(*) from index_builds) as builds, (select count(*) from index_value_purges) as purges,
       (select count(*) from index_values where index_id not in (select values_id from indexes)) as stray`,
  )
  return { builds: Number(row?.builds), purges: Number(row?.purges), values: Number(row?.stray) }
}
