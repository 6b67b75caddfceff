import test from 'ava'
import { markBehind, removeHeldEvents } from '#shared/data/deliveries/held-retention.ts'
import { removeDeliveries } from '#shared/data/webhooks/webhook-activity.ts'
import { removeWebhook } from '#shared/data/webhooks/webhooks.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { fanOut } from '../../../support/webhooks/cycles.ts'
import {
  bound,
  count,
  deactivate,
  deliver,
  entries,
  eventsOf,
  isInOrder,
  leavesNothing,
  worldOf,
} from '../../../support/webhooks/held-world.ts'
import { commitEvents } from '../../../support/webhooks/rivals.ts'

// Events that are held for too long, for deleted webhooks, or without a mark.

test('an event that is held for too long is missed, the oldest first, and this is reported once', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const eventIds = await commitEvents(db, at, 20)
  await fanOut(db, bound)
  await db.run('update held_events set held_at = 5 where event_id in (?, ?, ?)', eventIds.slice(10, 13))
  const remove = () => removeHeldEvents(db, { until: 5, rows: 2, newId: testId })
  const [first, second] = [await remove(), await remove()]
  t.like(first, { rows: 2, missed: 2, more: true, news: [{ news: 'missing', webhookId, events: 2 }] })
  t.like(second, { rows: 1, missed: 1, news: [] })
  t.like(await remove(), { rows: 0, more: false })
  t.like(await db.get('select missed from webhook_queues'), { missed: 3 })
  t.deepEqual(await entries(db), ['webhook-behind', 'webhook-backlog-full'])
  await isInOrder(t, db)
  t.deepEqual(eventsOf(await deliver(db), webhookId), eventIds.toSpliced(10, 3))
  await leavesNothing(t, db)
})

test('held events of a deleted webhook are removed, and other webhooks keep their payloads', async (t) => {
  const { db, at, webhookIds, key } = await worldOf(t, 2)
  const eventIds = await commitEvents(db, at, 17)
  await fanOut(db, bound)
  await deactivate(db, key)
  await db.transaction(async (tx) => {
    await removeDeliveries(tx, { ...key, after: '', limit: 100 })
    await removeWebhook(tx, key)
  })
  const remove = () => removeHeldEvents(db, { until: 0, rows: 5, newId: testId })
  t.like(await remove(), { rows: 5, missed: 0, more: true })
  await isInOrder(t, db)
  t.like([await remove(), await remove()], { 0: { rows: 2 }, 1: { rows: 0, more: false } })
  t.is(await count(db, 'held_events'), 7)
  t.deepEqual(eventsOf(await deliver(db), webhookIds[1] ?? ''), eventIds)
  await leavesNothing(t, db)
})

test('a webhook whose mark a dispatcher of version 0.2 has removed is found again, and its held events are released', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const eventIds = await commitEvents(db, at, 15)
  await fanOut(db, bound)
  t.is(await markBehind(db, bound), 0)
  // The old dispatcher has sent everything, and has released the lease.
  await db.run("update deliveries set status = 'succeeded', next_attempt_at = null, completed_at = 1, attempts = 1")
  await db.run('update webhook_queues set waiting = 0, succeeded = 10, backlog_full = 0, due_at = ?', [DUE_NEVER])
  t.deepEqual(await deliver(db), [])
  t.is(await markBehind(db, bound), 1)
  t.is(await markBehind(db, bound), 0)
  t.deepEqual(eventsOf(await deliver(db), webhookId), eventIds.slice(10))
  await leavesNothing(t, db)
})

test('a marked webhook without waiting deliveries becomes due', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const eventIds = await commitEvents(db, at, 15)
  await fanOut(db, bound)
  await db.run("update deliveries set status = 'succeeded', next_attempt_at = null, completed_at = 1, attempts = 1")
  await db.run('update webhook_queues set waiting = 0, succeeded = 10, due_at = ?', [DUE_NEVER])
  t.is(await markBehind(db, bound), 1)
  t.deepEqual(eventsOf(await deliver(db), webhookId), eventIds.slice(10))
})
