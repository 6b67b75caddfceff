import test from 'ava'
import { readWebhookTotals } from '#shared/data/dispatch/webhook-totals.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { deactivateWebhook } from '#shared/data/webhooks/webhook-activity.ts'
import { itemChange, makeList, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { fanOut } from '../../../support/webhooks/cycles.ts'

test('the totals count waiting, overdue, failing and missed deliveries of active webhooks, and webhooks that failures disabled', async (t) => {
  const { db } = await testDatabase(t)
  const unheld = { behind: 0, held: 0, mostHeld: 0, heldMs: 0 }
  const none = { waiting: 0, mostWaiting: 0, overdueMs: 0, failing: 0, missing: 0, missed: 0, disabled: 0, ...unheld }
  t.deepEqual(await readWebhookTotals(db), none)
  const at = await makeList(db)
  const { accountId } = at
  const webhookId = await makeWebhook(db, at)
  const disabledId = await makeWebhook(db, at)
  const deactivatedId = await makeWebhook(db, at)
  const committer = createCommitter(db, { announce() {} })
  await Promise.all([1, 2, 3].map(() => committer.commit(itemChange(at))))
  await fanOut(db, { maxWaiting: 2, maxHeld: 0 })
  await db.run(`update deliveries set next_attempt_at = next_attempt_at - 60000 where webhook_id = '${webhookId}'`)
  await db.run(`update deliveries set next_attempt_at = 1 where webhook_id <> '${webhookId}'`)
  await db.run(`update webhook_queues set consecutive_failures = 3`)
  await db.transaction(async (tx) => {
    await deactivateWebhook(tx, { accountId, webhookId: disabledId, reason: '20 deliveries failed', now: 1 })
    await deactivateWebhook(tx, { accountId, webhookId: deactivatedId, reason: 'deactivated', now: 1 })
  })
  const { overdueMs, ...counts } = await readWebhookTotals(db)
  t.deepEqual(counts, { waiting: 6, mostWaiting: 2, failing: 1, missing: 1, missed: 1, disabled: 1, ...unheld })
  t.true(overdueMs >= 60_000 && overdueMs < 3_600_000, `${overdueMs}`)
  await db.run(`update deliveries set next_attempt_at = next_attempt_at + 3600000 where webhook_id = '${webhookId}'`)
  t.is((await readWebhookTotals(db)).overdueMs, 0)
})
