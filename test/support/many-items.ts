import type { Database } from '#shared/data/database.ts'

export type ManyItems = {
  accountId: string
  listId: string
  count: number
  /** Every item has it. */
  tag?: string
  /** Characters of each item's data. */
  dataLength?: number
}

/** Writes items straight into the tables, every hundredth readonly, with the counters and index values they come with. */
export async function addManyItems(db: Database, { accountId, listId, count, ...more }: ManyItems): Promise<void> {
  const { tag = null, dataLength = 40 } = more
  const rows = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)'
  const id = `? || printf('%012d', i)`
  const start = `${listId.slice(-8)}-0000-7000-9000-`
  await db.run(
    `${rows} insert into items (id, account_id, list_id, created_at, updated_at, data, description, tags, version, revision,
       readonly, activated, locked, size)
     select ${id}, ?, ?, i, i, printf('"%.*c"', ? - 2, 'x'), '', json_array(?), '1.0.0', 1, i % 100 = 0, 1, 0, ? from n`,
    [count, start, accountId, listId, dataLength, tag, dataLength],
  )
  await db.run(
    `${rows} insert into index_values (index_id, item_id, order_key, filter_key) select ?, ${id}, 'x', 'x' from n`,
    [count, listId, start],
  )
  if (tag !== null) {
    await db.run(
      `insert into item_tags (item_id, tag, list_id, activated, readonly, created_at)
       select id, ?, list_id, activated, readonly, created_at from items where list_id = ?`,
      [tag, listId],
    )
  }
  await db.run('update lists set item_count = item_count + ? where id = ?', [count, listId])
}
