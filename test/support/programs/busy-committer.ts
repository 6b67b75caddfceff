import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { itemChange, makeList } from '../databases/contents/rows.ts'

/**
 * Commits items as fast as the database accepts them, in a separate process, between the messages `start` and `stop`; answers each
 * with the number of items so far, the first one once it is working.
 */
const [url = '', dataDir = ''] = process.argv.slice(2)
const atOnce = 64

const db = await openDatabase({ url, dataDir, pool: 2 })
const committer = createCommitter(db, { announce() {} })
const at = await makeList(db)
let committed = 0
let going = false
let writers: Promise<void>[] = []

async function keepCommitting(): Promise<void> {
  while (going) {
    await committer.commit(itemChange(at))
    committed++
  }
}

process.on('message', async (message: 'start' | 'stop') => {
  going = message === 'start'
  if (going) {
    writers = Array.from({ length: atOnce }, keepCommitting)
    await committer.commit(itemChange(at))
  } else {
    await Promise.all(writers)
  }
  process.send?.({ committed })
})
process.on('disconnect', async () => {
  await committer.close()
  await db.close()
})
process.send?.({ committed })
