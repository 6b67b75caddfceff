import type { Knex } from 'knex'
import { toNumber, toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { updateFrom, valuesTable } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { extendTables } from './tables.ts'

/** The bytes of the data of a list's items. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return extendTables(build, types, { lists: (t) => t.int('data_bytes').notNullable().defaultTo(0) })
}

/**
 * Counts the items that there are. Code of the version before does not count what it writes: `listd account recount` does, once its
 * gateways have gone.
 */
export async function countBytes(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const rows = await tx.all(
    sql`select id, list_id, size from items where id > ${after ?? ''} order by id limit ${limit}`,
  )
  const last = rows.at(-1)
  if (!last) return { rows: 0, after: null }
  const bytes = new Map<string, number>()
  for (const { list_id, size } of rows) bytes.set(toText(list_id), (bytes.get(toText(list_id)) ?? 0) + toNumber(size))
  await tx.run(
    updateFrom({
      table: 'lists',
      set: { data_bytes: sql`lists.data_bytes + input.bytes` },
      from: valuesTable({ id: 'text', bytes: 'int' }, [...bytes].sort()),
      where: sql`lists.id = input.id`,
    }),
  )
  return { rows: rows.length, after: toText(last.id) }
}
