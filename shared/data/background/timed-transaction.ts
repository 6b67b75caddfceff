import type { Database, Transaction } from '../database.ts'

/** A transaction of background work, and for how many milliseconds it held its locks: not how long it waited for them. */
export async function timedTransaction<T>(
  db: Pick<Database, 'transaction'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; heldMs: number }> {
  let startedAt = 0
  const result = await db.transaction((tx) => {
    startedAt = performance.now()
    return work(tx)
  })
  return { result, heldMs: performance.now() - startedAt }
}
