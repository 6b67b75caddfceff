import test, { type ExecutionContext } from 'ava'
import { newIdAt } from '#shared/crypto/ids.ts'
import { deleteExpired } from '#shared/data/background/delete-expired.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { removeDeliveries } from '#shared/data/webhooks/webhook-activity.ts'
import { addDeliveries, makeList, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { assertBatchesReadAlike } from '../../../support/databases/questions/batch-reads.ts'
import { analyze } from '../../../support/databases/questions/rows-read.ts'

const rows = 200

async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const key = { accountId: at.accountId, webhookId: await makeWebhook(db, at) }
  await addDeliveries(
    db,
    { ...at, ...key },
    Array.from({ length: 5_000 }, (_, n) => ({ id: newIdAt(1_700_000_000_000 + n), status: 'succeeded' })),
  )
  await db.run("update deliveries set completed_at = created_at where status = 'succeeded'")
  await analyze(db, 'deliveries')
  return { db, key }
}

test('each batch of settled deliveries reads as much as the first one', async (t) => {
  const { db } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: 0,
    async batch(counted, from) {
      const batch = await deleteSettledDeliveries(counted, { from, until: 8e12, rows })
      return { next: batch.more ? batch.from : null }
    },
  })
})

test('each batch of the deliveries of a deleted webhook reads as much as the first one', async (t) => {
  const { db, key } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: '',
    batch: (counted, after) => counted.transaction((tx) => removeDeliveries(tx, { ...key, after, limit: rows })),
  })
})

test('each batch of expired keys reads as much as the first one', async (t) => {
  const { db } = await testDatabase(t)
  const key = { list_id: 'list', request_hash: 'r', event_ids: '[]' }
  for (let n = 0; n < 5_000; n += 250) {
    const some = Array.from({ length: 250 }, (_, m) => ({ ...key, key_hash: `key ${n + m}`, expires_at: n + m }))
    await db.run(db.build('idempotency_keys').insert(some))
  }
  await analyze(db, 'idempotency_keys')
  const keys = { table: 'idempotency_keys', key: 'key_hash', expiresAt: 'expires_at' }
  await assertBatchesReadAlike(t, db, {
    from: 0,
    async batch(counted, from) {
      const batch = await deleteExpired(counted, keys, { from, until: 8e12, rows })
      return { next: batch.more ? batch.from : null }
    },
  })
})
