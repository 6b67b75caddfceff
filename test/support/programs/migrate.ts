import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { countMoves, nextSteps } from '../databases/schemas/next-version.ts'

/**
 * Migrates the database named by the arguments, in a separate process that can be killed; with `next` to an invented next version,
 * whose second batch never ends.
 */
const [url = '', dataDir = '', next = ''] = process.argv.slice(2)
const db = await openDatabase({ url, dataDir })
process.stdout.write('begun\n')
const stopped: typeof countMoves = async (tx, batch) => {
  const moved = await countMoves(tx, batch)
  if (batch.after === null) return moved
  process.stdout.write('inside a batch\n')
  return new Promise(() => setInterval(() => {}, 1_000))
}
await migrate(db, next === '' ? {} : { steps: await nextSteps(stopped) })
await db.close()
