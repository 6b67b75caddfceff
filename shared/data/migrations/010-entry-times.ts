import type { Knex } from 'knex'
import { toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { extendTables } from './tables.ts'

const before = ['index_id', 'activated', 'readonly', 'order_key', 'item_id']

/**
 * Index entries repeat when their item was created, so that a page that filters by a value is put into the order of creation
 * from the index alone: looking the items up was most of its cost.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, {
    index_values(t) {
      t.int('created_at').notNullable().defaultTo(0)
      t.index([...before, 'created_at'], { name: 'index_values_order_index' })
    },
  })
}

export async function fillEntryTimes(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const rows = await tx.all(sql`select id from items where id > ${after ?? ''} order by id limit ${limit}`)
  const last = rows.at(-1)
  if (!last) return { rows: 0, after: null }
  const ids = rows.map(({ id }) => toText(id))
  await tx.run(sql`update index_values set created_at =
    coalesce((select items.created_at from items where items.id = index_values.item_id), 0) where ${inList('item_id', ids)}`)
  return { rows: rows.length, after: toText(last.id) }
}

/** Behind `fillEntryTimes`: until then older code, which reads entries through this index, finishes what it does. */
export function dropFormerIndex(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, { index_values: (t) => t.dropIndex(before, 'index_values_page_index') })
}
