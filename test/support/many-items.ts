import type { Database } from '#shared/data/database.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'

export type ManyItems = {
  accountId: string
  listId: string
  count: number
  /** Every item has it. */
  tag?: string
  /** Characters of each item's data. */
  dataLength?: number
}

/** More would make a transaction time out on a slow server. */
const perTransaction = 2_000

/** Writes items directly into the tables, every hundredth readonly, with their counters, tags and index values. */
export async function addManyItems(db: Database, many: ManyItems): Promise<void> {
  const numbers = Array.from({ length: many.count }, (_, n) => n + 1)
  for (let start = 0; start < many.count; start += perTransaction) {
    await addItems(db, numbers.slice(start, start + perTransaction), many)
  }
}

async function addItems(db: Database, numbers: readonly number[], { accountId, listId, ...more }: ManyItems) {
  const { tag = null, dataLength = 40 } = more
  const idOf = (n: number) => `${listId.slice(-8)}-0000-7000-9000-${String(n).padStart(12, '0')}`
  const data = JSON.stringify('x'.repeat(dataLength - 2))
  const readonly = (n: number) => Number(n % 100 === 0)
  const tags = JSON.stringify(tag === null ? [] : [tag])
  await db.transaction(async (tx) => {
    const items = numbers.map((n) => [
      ...[idOf(n), accountId, listId, n, n, data, '', tags, '1.0.0', 1],
      ...[readonly(n), 1, 0, dataLength],
    ])
    await insertRows(tx, 'items', itemColumns, items)
    const values = numbers.map((n) => [listId, idOf(n), 'x', 'x'])
    await insertRows(tx, 'index_values', ['index_id', 'item_id', 'order_key', 'filter_key'], values)
    const tagged = tag === null ? [] : numbers.map((n) => [idOf(n), tag, listId, 1, readonly(n), n])
    await insertRows(tx, 'item_tags', tagColumns, tagged)
    await tx.run('update lists set item_count = item_count + ? where id = ?', [numbers.length, listId])
  })
}

const itemColumns = [
  ...['id', 'account_id', 'list_id', 'created_at', 'updated_at', 'data', 'description', 'tags', 'version', 'revision'],
  ...['readonly', 'activated', 'locked', 'size'],
]
const tagColumns = ['item_id', 'tag', 'list_id', 'activated', 'readonly', 'created_at']
