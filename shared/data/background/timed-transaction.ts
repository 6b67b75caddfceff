import type { Database, Transaction } from '../database.ts'

/** For how many milliseconds a transaction waited for its turn, and then held its locks. */
export type Took = { waitedMs: number; heldMs: number }

/** Of work that has written nothing. */
export const noTime: Took = { waitedMs: 0, heldMs: 0 }

/** A transaction of background work, and the time that it took. */
export async function timedTransaction<T>(
  db: Pick<Database, 'transaction'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; took: Took }> {
  const calledAt = performance.now()
  let startedAt = 0
  const result = await db.transaction((tx) => {
    startedAt = performance.now()
    return work(tx)
  })
  return { result, took: { waitedMs: startedAt - calledAt, heldMs: performance.now() - startedAt } }
}
