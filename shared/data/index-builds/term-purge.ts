import type { Batch } from '../background/pacer.ts'
import { timedTransaction } from '../background/timed-transaction.ts'
import { toNumber, toText } from '../columns.ts'
import type { Database, Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { deleteListed } from '../sql/statements.ts'

/** Words that no list has any more, and the item after which the next batch starts; null: from the first. */
export type TermPurge = { termsId: number; from: Position | null }

type Position = { band: number; itemId: string }

/** The words to be purged next; null: none. */
export async function nextTermPurge(db: Queries): Promise<TermPurge | null> {
  const row = await db.get(sql`select terms_id from term_purges order by terms_id limit 1`)
  return row ? { termsId: toNumber(row.terms_id), from: null } : null
}

/**
 * Deletes the words of a batch of items, or the purge itself when none is left. No write adds to them: item writes verify the settings
 * version, and batches of a build their step. Continuing after the position of the batch avoids scanning deleted rows, which on Postgres
 * stay in the index until a vacuum.
 */
export async function purgeTerms(
  db: Database,
  { termsId, from }: TermPurge,
  maxItems: number,
): Promise<Batch & { position: Position | null }> {
  const next = await nextItems(db, { termsId, from }, maxItems)
  const ofTerms = sql`terms_id = ${termsId}`
  const { took } = await timedTransaction(db, async (tx) => {
    if (next) await tx.run(deleteListed({ table: 'item_terms', column: 'item_id', values: next.ids, and: ofTerms }))
    else await tx.run(sql`delete from term_purges where terms_id = ${termsId}`)
  })
  return { rows: next?.ids.length ?? 0, took, more: next !== null, position: next?.position ?? null }
}

/**
 * Most items are in one band, that of the first revision. The rest of a band is read separately, because MySQL derives no range from two
 * columns.
 */
async function nextItems(db: Queries, { termsId, from }: TermPurge, limit: number) {
  const items = sql`select band, item_id from item_terms where terms_id = ${termsId} and term = ''`
  const rest = from
    ? await db.all(sql`${items} and band = ${from.band} and brevity = 0 and item_id > ${from.itemId}
        order by item_id limit ${limit}`)
    : []
  const behind = from?.band ?? -Number.MAX_SAFE_INTEGER
  const others =
    rest.length < limit
      ? await db.all(sql`${items} and band > ${behind} order by band, brevity, item_id limit ${limit - rest.length}`)
      : []
  const rows = [...rest, ...others]
  const last = rows.at(-1)
  if (!last) return null
  return {
    ids: rows.map(({ item_id }) => toText(item_id)),
    position: { band: toNumber(last.band), itemId: toText(last.item_id) },
  }
}
