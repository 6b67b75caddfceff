import type { Database, Transaction } from '#shared/data/database.ts'

/** A rival transaction that has done its work and waits: a function that ends it, and its outcome. */
export async function openTransaction(
  db: Database,
  work: (tx: Transaction) => Promise<unknown>,
): Promise<{ end(): Promise<void> }> {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = db.transaction(async (tx) => {
    await work(tx)
    begun.resolve()
    await ended.promise
  })
  await begun.promise
  return {
    end() {
      ended.resolve()
      return done
    },
  }
}
