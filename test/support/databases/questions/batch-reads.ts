import type { ExecutionContext } from 'ava'
import type { Database, Queries, Query } from '#shared/data/database.ts'
import { renderQuery } from '#shared/data/sql/render.ts'
import { testBackend } from '../database.ts'
import { countRowsRead } from './rows-read.ts'

/**
 * A database on a server, and a counter of its reads for the selects sent through `db`: pages on Postgres, including dead rows and
 * index entries, and rows elsewhere.
 */
function countReads(real: Database): { db: Database; reads(): number } {
  if (testBackend !== 'postgres') {
    const { db, rowsRead } = countRowsRead(real)
    return { db, reads: rowsRead }
  }
  let total = 0
  function counting<Q extends Queries>(queries: Q): Q {
    async function all<R>(query: Query, bindings?: readonly unknown[]): Promise<R[]> {
      const { text, bindings: values } = renderQuery(real.dialect, query, bindings)
      const [row] = await queries.all<Explained>(`explain (analyze, buffers, format json) ${text}`, values)
      const plan = row?.['QUERY PLAN'][0]?.Plan
      total += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
      return queries.all<R>(query, bindings)
    }
    return { ...queries, all }
  }
  const transaction: Database['transaction'] = (work) => real.transaction((tx) => work(counting(tx)))
  return { db: { ...counting(real), transaction }, reads: () => total }
}

/**
 * Otherwise a vacuum may remove the dead rows that the batches must not read, and new statistics of an almost empty table make
 * Postgres read all its pages.
 */
async function keepFromVacuum(db: Database): Promise<void> {
  const tables = await db.all<{ name: string }>(
    "select relname as name from pg_class where relnamespace = current_schema::regnamespace and relkind = 'r'",
  )
  for (const { name } of tables) await db.run(`alter table ${name} set (autovacuum_enabled = false)`)
}

type Explained = { 'QUERY PLAN': { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }[] }

/**
 * Runs batch after batch, and asserts that those of the second half read about as much as the first one, however much was deleted
 * before.
 * @param batch processes one batch from a position; `next`: the position of the next one, null: no more batches
 */
export async function assertBatchesReadAlike<From>(
  t: ExecutionContext,
  real: Database,
  { from, batch }: { from: From; batch(db: Database, from: From): Promise<{ next: From | null }> },
): Promise<void> {
  if (testBackend === 'postgres') await keepFromVacuum(real)
  const reads: number[] = []
  for (let at: From | null = from; at !== null; ) {
    const counted = countReads(real)
    at = (await batch(counted.db, at)).next
    reads.push(counted.reads())
  }
  t.true(reads.length >= 20, `${reads.length} batches`)
  const [first = 0] = reads
  const later = reads.slice(reads.length / 2)
  const mean = later.reduce((sum, each) => sum + each, 0) / later.length
  t.true(mean <= 1.5 * first + 10, `${reads}`)
}
