import test from 'ava'
import { findDelivery, findDeliveryContents } from '#shared/data/deliveries/deliveries.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { addDeliveries, makeList, makeWebhook, wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { settle } from '../../../support/webhooks/cycles.ts'

const holder = { owner: 'me', leaseMs: 30_000 }
const detailsOf = (server: string) => ({
  phases: { dnsMs: 1, connectMs: 2, tlsMs: null, waitMs: 4 },
  headers: { server },
})

test('what is kept of an attempt is in the log from its end on, and stays there when others follow', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const webhookId = await makeWebhook(db, { accountId })
  const [deliveryId = ''] = await addDeliveries(db, { accountId, webhookId }, [{ status: 'pending' }])
  const outcomes: AttemptOutcome[] = [
    { status: 502, body: '', durationMs: 7, error: null, details: detailsOf('first') },
    { status: null, body: '', durationMs: 0, error: 'secret' },
    { status: null, body: '', durationMs: 10_000, error: 'timeout', details: { ...detailsOf(''), headers: null } },
    { status: 200, body: '', durationMs: 1_500, error: null, details: detailsOf('slow') },
  ]
  for (const [n, outcome] of outcomes.entries()) {
    await db.run("update deliveries set next_attempt_at = 1 where status = 'pending'")
    await db.run('update webhook_queues set due_at = 1')
    const [claim] = await db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 1 }))
    if (!claim) return t.fail(`no claim ${n}`)
    await settle(db, [{ claim, outcome, lane: 'fast', shouldContinue: false }], holder)
    const delivery = await findDelivery(db, { accountId, webhookId, deliveryId })
    const contents = delivery && (await findDeliveryContents(db, delivery))
    t.deepEqual(
      contents?.log.map(({ number, durationMs, status, error, details }) => ({
        number,
        outcome: { status, durationMs, error, details },
      })),
      outcomes.slice(0, n + 1).map(({ status, durationMs, error, details = null }, position) => ({
        number: position + 1,
        outcome: { status, durationMs, error, details },
      })),
    )
  }
  t.like(await findDelivery(db, { accountId, webhookId, deliveryId }), { status: 'succeeded', attempts: 4 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})
