import { keyIdOf } from '#shared/crypto/key-text.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import { webhookHeadersBinding, webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import type { Batch } from '../background/pacer.ts'
import { noTime, timedTransaction } from '../background/timed-transaction.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import type { ValuesColumns } from '../dialect.ts'
import { assertSeals } from '../secrets/sealing-key.ts'
import { raw, sql } from '../sql/sql.ts'
import { forUpdate, inList, updateFrom, valuesTable } from '../sql/statements.ts'

/** `rows`: webhooks that were written; `last`: where the next batch begins; `resealed`: how many values were resealed. */
type ResealedBatch = Batch & { last: string | null; resealed: number }

/** The sealed columns of a webhook. */
const sealedColumns = ['secret', 'previous_secret', 'headers'] as const
type SealedColumn = (typeof sealedColumns)[number]

/** The function that returns the binding of a value to its row. */
const bindings: Readonly<Record<SealedColumn, typeof webhookSecretBinding>> = {
  secret: webhookSecretBinding,
  previous_secret: webhookSecretBinding,
  headers: webhookHeadersBinding,
}

type SealedRow = { id: string; account_id: string } & Record<SealedColumn, string | null>

/** Rows that are read at once. */
const readRows = 500

/**
 * How many secrets each key has sealed, by its id: signing secrets, also one that was replaced and is not wiped yet, and the fixed
 * headers of a webhook as one.
 */
export async function countSealedSecrets(db: Queries): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (let last: string | null = ''; last !== null; ) {
    const rows: SealedRow[] = await readAfter(db, last)
    for (const keyId of rows.flatMap(keyIdsOf)) counts.set(keyId, (counts.get(keyId) ?? 0) + 1)
    last = rows.at(-1)?.id ?? null
  }
  return counts
}

/**
 * Seals the secrets of the next webhooks with the key that seals now, where another key has sealed them. May be repeated, and stopped at
 * any point, because a value names the key that sealed it. A value that no key opens stays as it is. Call `changeSealingKey` first; then
 * one pass over all webhooks is enough, because a row is locked while it is resealed, and values written meanwhile are sealed with the new
 * key.
 * @param options.after where the previous batch ended; '' for the first
 * @param options.keyId the id of the key that seals
 * @param options.rows the maximum number of webhooks that are written: other transactions wait for them
 * @throws Error with a sentence when another key seals by now: the process that switched to it would not see what this pass seals after its own
 */
export async function resealSecrets(
  db: Database,
  options: { sealer: Pick<Sealer, 'seal' | 'open'>; keyId: string; after: string; rows: number },
): Promise<ResealedBatch> {
  const { keyId, after, rows: most } = options
  const rows = await readAfter(db, after)
  const stale = rows.filter((row) => keyIdsOf(row).some((id) => id !== keyId)).slice(0, most)
  const last = (stale.length === most ? stale.at(-1)?.id : rows.at(-1)?.id) ?? null
  const more = last !== null
  if (stale.length === 0) return { rows: 0, took: noTime, more, last, resealed: 0 }
  const ids = stale.map(({ id }) => id)
  const { result: resealed, took } = await timedTransaction(db, (tx) => resealRows(tx, { ...options, ids }))
  return { rows: ids.length, took, more, last, resealed }
}

async function resealRows(
  tx: Transaction,
  { sealer, keyId, ids }: { sealer: Pick<Sealer, 'seal' | 'open'>; keyId: string; ids: readonly string[] },
): Promise<number> {
  const rows = await tx.all<SealedRow>(
    sql`select ${selected} from webhooks where ${inList('id', ids)} order by id ${forUpdate}`,
  )
  // After the rows, as where a secret is replaced, so that the two do not wait for each other.
  await assertSeals(tx, keyId)
  let resealed = 0
  function reseal(text: string | null, binding: string): string | null {
    if (text === null || keyIdOf(text) === keyId) return text
    try {
      const anew = sealer.seal(sealer.open(text, binding), binding, keyId)
      resealed++
      return anew
    } catch {
      return text
    }
  }
  const written = rows.map((row) => {
    const key = { accountId: row.account_id, webhookId: row.id }
    return [row.id, ...sealedColumns.map((column) => reseal(row[column], bindings[column](key)))]
  })
  if (resealed > 0) await tx.run(updateSecrets(written))
  return resealed
}

function updateSecrets(rows: readonly (readonly unknown[])[]) {
  return updateFrom({
    table: 'webhooks',
    set: Object.fromEntries(sealedColumns.map((column) => [column, raw(`input.${column}`)])),
    from: valuesTable({ id: 'text', ...sealedTypes }, rows),
    where: sql`webhooks.id = input.id`,
  })
}

const sealedTypes: ValuesColumns = Object.fromEntries(sealedColumns.map((column) => [column, 'longText']))
const selected = raw(['id', 'account_id', ...sealedColumns].join(', '))

function readAfter(db: Queries, after: string): Promise<SealedRow[]> {
  return db.all<SealedRow>(sql`select ${selected} from webhooks where id > ${after} order by id limit ${readRows}`)
}

function keyIdsOf(row: SealedRow): string[] {
  return sealedColumns.flatMap((column) => row[column] ?? []).map(keyIdOf)
}
