import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { itemChange, makeList } from '../databases/contents/rows.ts'

/**
 * Commits units of twenty items, each with an idempotency key, from its first message until it is killed. It answers that message when
 * the third unit is stored.
 */
const [url = '', dataDir = ''] = process.argv.slice(2)

const db = await openDatabase({ url, dataDir, pool: 2 })
const committer = createCommitter(db, { announce() {} })
const at = await makeList(db)

process.on('message', async () => {
  for (let n = 1; ; n++) {
    const unit = Array.from({ length: 20 }, () => itemChange(at))
    const key = { keyHash: `key-${n}`, subjectId: at.listId, requestHash: 'request', expiresAt: 1 }
    await committer.commitAll(unit, { key })
    if (n === 3) process.send?.('storing')
  }
})
process.send?.('ready')
