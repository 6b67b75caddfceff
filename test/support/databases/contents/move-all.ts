import type { Database } from '#shared/data/database.ts'
import type { Move } from '#shared/data/migrations/migration.ts'

/** Runs all batches of a move, each as if it were the last one of the process. @returns how many rows it moved */
export async function moveAll(db: Database, move: Move, { limit }: { limit: number }): Promise<number> {
  let rows = 0
  for (let after: string | null = null; ; ) {
    const moved = await db.transaction((tx) => move(tx, { after, limit }))
    rows += moved.rows
    after = moved.after
    if (after === null) return rows
  }
}
