import test from 'ava'
import { readSettledSample } from '#shared/data/deliveries/settled-sample.ts'
import { statsOf } from '#shared/domain/webhook/deliveries/stats.ts'
import { addDeliveries, makeList, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('the sample of a webhook is its newest 1,000 settled deliveries without pings, and their attempts', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const key = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  await addDeliveries(db, key, [{ status: 'failed', error: 'dns' }])
  const newest = Array.from({ length: 1_000 }, (_, n) => ({
    ...(n % 2 === 0 ? { status: 'succeeded', responseStatus: 204 } : { status: 'failed', error: 'timeout' }),
    ...(n === 999 && { event: 'ping' }),
  }))
  const ids = await addDeliveries(db, key, newest)
  await addDeliveries(db, key, [{ status: 'pending' }])
  await addDeliveries(db, { accountId, webhookId: await makeWebhook(db, { accountId }) }, [{ status: 'failed' }])
  for (const number of [1, 2, 8]) {
    await db.run(
      'insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status, error) values (?, ?, 3, ?, 500, null)',
      [ids[1], number, number * 1_000],
    )
  }

  const { settled, durations } = await readSettledSample(db, key.webhookId)
  const stats = statsOf(settled, durations)
  t.like(stats, { succeeded: 500, failed: 499, causes: [{ error: 'timeout', count: 499 }] })
  t.is(durations.length, 502)
  t.deepEqual(stats.durations, { p50: 5, p95: 5, max: 2_000 })
  t.deepEqual(await readSettledSample(db, testId()), { settled: [], durations: [] })
})
