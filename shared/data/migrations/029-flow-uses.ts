import type { Knex } from 'knex'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { usesOf } from '#shared/domain/flow/uses.ts'
import { toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'
import { replaceUses } from '../flows/flow-uses.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { createTables } from './tables.ts'

/** What flows use of their account: lists by their path keys, indexes of them, and webhooks. A change of one of these finds its flows. */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return createTables(build, types, {
    flow_uses(t) {
      t.text('account_id', 36).notNullable()
      t.text('list_key', 200).notNullable()
      t.text('kind', 20).notNullable()
      t.text('name', 200).notNullable()
      t.text('flow_id', 36).notNullable()
      t.primary(['account_id', 'list_key', 'kind', 'name', 'flow_id'])
      t.byPrimaryKey()
      t.index(['flow_id'])
    },
  })
}

/** A document may have 256 KiB, and takes milliseconds to read. */
const maxRows = 20

/** Keeps what stored flows use. A document that cannot be read any more uses nothing, because it does not run. */
export async function fillFlowUses(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const flows = await tx.all(sql`select id, account_id, document from flows
    where id > ${after ?? ''} order by id limit ${Math.min(limit, maxRows)} ${forUpdate}`)
  for (const { id, account_id, document } of flows) {
    const { flow } = readFlow(toText(document))
    await replaceUses(tx, { flowId: toText(id), accountId: toText(account_id), uses: flow ? usesOf(flow) : [] })
  }
  return { rows: flows.length, after: flows.length > 0 ? toText(flows.at(-1)?.id) : null }
}
