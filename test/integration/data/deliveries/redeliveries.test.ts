import test, { type ExecutionContext } from 'ava'
import { requeueDeliveries } from '#shared/data/deliveries/redeliveries.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import { addDeliveries, makeList, makeWebhook, wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { settle } from '../../../support/webhooks/cycles.ts'

const holder = { owner: 'me', leaseMs: 30_000 }

async function withDeliveries(t: ExecutionContext, rows: Parameters<typeof addDeliveries>[2]) {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const webhookId = await makeWebhook(db, { accountId })
  const ids = await addDeliveries(db, { accountId, webhookId }, rows)
  const requeue = (id: string, { status = 'failed' as const, activated = true } = {}) =>
    db.transaction((tx) => requeueDeliveries(tx, { id: webhookId, activated }, [{ id, status }]))
  const claim = () => db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 10 }))
  return { db, accountId, webhookId, ids, requeue, claim }
}

test('a delivery sent again has eight new attempts, which continue the earlier numbers', async (t) => {
  const { db, ids, requeue, claim } = await withDeliveries(t, [{ status: 'failed' }])
  await requeue(ids[0] ?? '')
  t.deepEqual(await wrongWaitingCounts(db), [])
  for (let number = 9; number <= 16; number++) {
    const [held] = await claim()
    t.like(held, { deliveryId: ids[0], number, seriesAttempts: number - 8 })
    if (!held) return
    const outcome = { status: 500, body: '', durationMs: 1, error: null }
    await settle(db, [{ claim: held, outcome, lane: 'fast', shouldContinue: true }], holder)
    await db.run("update deliveries set next_attempt_at = 1 where status = 'pending'")
    await db.run('update webhook_queues set due_at = 1')
  }
  t.like(await db.get('select status, attempts from deliveries'), { status: 'failed', attempts: 16 })
  t.like(await db.get('select consecutive_failures from webhook_queues'), { consecutive_failures: 1 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a successful delivery is sent again too', async (t) => {
  const { db, ids, claim, webhookId } = await withDeliveries(t, [{ status: 'succeeded' }])
  const again = [{ id: ids[0] ?? '', status: 'succeeded' as const }]
  await db.transaction((tx) => requeueDeliveries(tx, { id: webhookId, activated: true }, again))
  t.is((await claim())[0]?.deliveryId, ids[0])
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a redelivery of a disabled webhook waits', async (t) => {
  const { db, ids, requeue, claim } = await withDeliveries(t, [{ status: 'failed' }])
  await db.run('update webhooks set activated = 0')
  await requeue(ids[0] ?? '', { activated: false })
  t.like(await db.get('select due_at, waiting from webhook_queues'), { due_at: DUE_NEVER, waiting: 1 })
  t.deepEqual(await claim(), [])
})

test('a leased queue is left to its holder, who finds the new delivery', async (t) => {
  const { db, ids, requeue, claim } = await withDeliveries(t, [{ status: 'pending' }, { status: 'failed' }])
  await db.run('update webhook_queues set due_at = 1')
  const [held] = await claim()
  if (!held) return t.fail()
  const before = await db.get('select due_at, lease_owner, fence from webhook_queues')
  await requeue(ids[1] ?? '')
  t.deepEqual(await db.get('select due_at, lease_owner, fence from webhook_queues'), before)
  const outcome = { status: 200, body: '', durationMs: 1, error: null }
  const [next] = await settle(db, [{ claim: held, outcome, lane: 'fast', shouldContinue: true }], holder)
  t.is(next?.deliveryId, ids[1])
})
