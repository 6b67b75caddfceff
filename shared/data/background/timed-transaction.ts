import type { Database, Transaction } from '../database.ts'

/** How many milliseconds a transaction waited for its locks, and then held them. */
export type Took = { waitedMs: number; heldMs: number }

/** The times of work that wrote nothing. */
export const noTime: Took = { waitedMs: 0, heldMs: 0 }

/** Runs a transaction of background work, and measures its times. */
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
