import type { Batch } from '../background/pacer.ts'
import { timedTransaction } from '../background/timed-transaction.ts'
import { toNumber } from '../columns.ts'
import type { Database, Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/** The most webhooks that one transaction wipes. */
const maxRows = 100

/** Wipes signing secrets that were replaced so long ago that nothing is signed with them any more; at most a hundred. */
export async function wipeOldSecrets(db: Database): Promise<Batch> {
  const { result, took } = await timedTransaction(db, async (tx) => {
    const now = await tx.now()
    const rows = await tx.all<{ id: string }>(
      sql`select id from webhooks where previous_secret_until <= ${now} order by previous_secret_until limit ${maxRows}`,
    )
    if (rows.length === 0) return { rows: 0, more: false }
    const ids = rows.map(({ id }) => id)
    // The time is compared again, because a secret that was replaced in between leaves another old one. The plus makes SQLite
    // look up the rows by their ids instead of reading all that are due.
    const wiped = await tx.run(
      sql`update webhooks set previous_secret = null, previous_secret_until = null
        where ${inList('id', ids)} and +previous_secret_until <= ${now}`,
    )
    return { rows: wiped, more: rows.length === maxRows }
  })
  return { ...result, took }
}

/** When the next replaced secret is to be wiped, on the database's clock; null: there is none. */
export async function findNextOldSecret(db: Queries): Promise<number | null> {
  const row = await db.get(
    sql`select previous_secret_until as due from webhooks where previous_secret_until is not null
      order by previous_secret_until limit 1`,
  )
  return row ? toNumber(row.due) : null
}
