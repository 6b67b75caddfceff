import test from 'ava'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { removeDeliveries } from '#shared/data/webhooks/webhook-activity.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { fanOut } from '../../../support/webhooks/cycles.ts'
import {
  activate,
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
import { commitEvents, makeRival } from '../../../support/webhooks/rivals.ts'

// Events beyond the bound of waiting deliveries are held, released when half of the bound is free, and never lost.

test('beyond the bound events are held, and all are sent in the order of the log, each with its exact body', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const eventIds = await commitEvents(db, at, 45)
  const bodies = new Map(
    eventIds.map((eventId, n) => [eventId, `{"n": ${n},  "text":"S\u00f6up \u{1f372} ${'x'.repeat(n)}"}`]),
  )
  for (const [eventId, body] of bodies) {
    await db.run('update event_payloads set body = ? where event_id = ?', [body, eventId])
  }
  await fanOut(db, bound)
  t.like(await db.get('select waiting, missed, backlog_full from webhook_queues'), {
    waiting: 10,
    missed: 0,
    backlog_full: 1,
  })
  t.deepEqual([await count(db, 'held_events'), await count(db, 'held_payloads')], [35, 35])
  t.is(await count(db, 'event_payloads'), 10)
  await isInOrder(t, db)

  const begun = await deliver(db)
  t.deepEqual(eventsOf(begun, webhookId), eventIds)
  for (const { eventId, body } of begun) t.is(body, bodies.get(eventId) ?? '')
  t.like(await db.get('select waiting, missed, backlog_full from webhook_queues'), { waiting: 0, backlog_full: 0 })
  t.is((await db.get<{ missed: number }>('select missed from webhook_queues'))?.missed, 0)
  t.deepEqual(await entries(db), ['webhook-behind', 'webhook-caught-up'])
  await leavesNothing(t, db)
})

test('events that arrive while others are held are sent after them', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const first = await commitEvents(db, at, 30)
  await fanOut(db, bound)
  const rival = makeRival(db, 'me', bound)
  const later: string[] = []
  for (let n = 0; n < 8; n++) {
    for (let cycles = 0; cycles < 3; cycles++) await rival.cycle()
    later.push(...(await commitEvents(db, at, 3)))
  }
  await rival.work(() => false)
  t.deepEqual(eventsOf(rival.begun, webhookId), [...first, ...later])
  await leavesNothing(t, db)
})

test('webhooks that hold an event share one payload, which is deleted with the last of them', async (t) => {
  const { db, at, webhookIds } = await worldOf(t, 3)
  const [slow = '', other = '', quick = ''] = webhookIds
  await db.run('update webhooks set activated = 0 where id = ?', [quick])
  const before = await commitEvents(db, at, 10)
  await fanOut(db, bound)
  await db.run('update webhooks set activated = 1 where id = ?', [quick])
  await db.run('update accounts set listener_epoch = listener_epoch + 1')
  const eventIds = await commitEvents(db, at, 4)
  await fanOut(db, bound)
  t.deepEqual(
    [...(await db.all<{ holders: number }>('select holders from held_payloads'))].map(({ holders }) => holders),
    [2, 2, 2, 2],
  )
  await isInOrder(t, db)
  const begun = await deliver(db)
  t.deepEqual(eventsOf(begun, quick), eventIds)
  for (const webhookId of [slow, other]) t.deepEqual(eventsOf(begun, webhookId), [...before, ...eventIds])
  await leavesNothing(t, db)
})

test('held events stay when retention deletes the deliveries of the same events', async (t) => {
  const { db, at, webhookIds } = await worldOf(t, 2)
  const [slow = '', quick = ''] = webhookIds
  await db.run('update webhook_queues set lease_owner = ?, lease_until = ?, due_at = ? where webhook_id = ?', [
    'other',
    DUE_NEVER,
    DUE_NEVER,
    slow,
  ])
  const eventIds = await commitEvents(db, at, 12)
  await fanOut(db, bound)
  t.deepEqual(eventsOf(await deliver(db), quick), eventIds)
  await db.run('update deliveries set completed_at = 1 where completed_at is not null')
  await deleteSettledDeliveries(db, { from: 0, until: 2, rows: 100 })
  t.is(await count(db, 'held_events'), 2)
  await db.run('update webhook_queues set lease_owner = null, lease_until = null, due_at = 0 where webhook_id = ?', [
    slow,
  ])
  t.deepEqual(eventsOf(await deliver(db), slow), eventIds)
  await leavesNothing(t, db)
})

test('events that flows emit are held, and sent in their order', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const before = await commitEvents(db, at, 11)
  await fanOut(db, bound)
  const committer = createCommitter(db, { announce() {} })
  const eventId = testId()
  const emitted = { accountId: at.accountId, requestId: 'r', payload: '{"emitted":1}', webhookIds: [webhookId] }
  await committer.commitAll([], { emitted: [{ ...emitted, eventId }] })
  await fanOut(db, bound)
  const after = await commitEvents(db, at, 2)
  await fanOut(db, bound)
  const begun = await deliver(db)
  t.deepEqual(eventsOf(begun, webhookId), [...before, eventId, ...after])
  t.like(
    begun.find((claim) => claim.eventId === eventId),
    { event: 'flow.emit', body: '{"emitted":1}' },
  )
  await leavesNothing(t, db)
})

test('a deactivated webhook keeps its held events and gets no more; its activation sends waiting deliveries, then held events', async (t) => {
  const { db, at, key } = await worldOf(t)
  const eventIds = await commitEvents(db, at, 25)
  await fanOut(db, bound)
  await deactivate(db, key)
  await commitEvents(db, at, 5)
  await fanOut(db, bound)
  t.deepEqual(await deliver(db), [])
  t.is(await count(db, 'held_events'), 15)
  await activate(db, key)
  t.deepEqual(eventsOf(await deliver(db), key.webhookId), eventIds)
  await leavesNothing(t, db)
})

test('held events of a webhook without waiting deliveries are released as soon as it is active', async (t) => {
  const { db, at, key } = await worldOf(t)
  const eventIds = await commitEvents(db, at, 25)
  await fanOut(db, bound)
  await deactivate(db, key)
  await db.transaction((tx) => removeDeliveries(tx, { ...key, after: '', limit: 100 }))
  await activate(db, key)
  const claim = { owner: 'me', leaseMs: 30_000, lane: 'fast', limit: 1, ...bound } as const
  const [held] = await db.transaction((tx) => claimDue(tx, claim))
  t.is(held?.eventId, eventIds[10])
  t.like(await db.get('select waiting from webhook_queues'), { waiting: 10 })
  await isInOrder(t, db)
})

test('beyond the bound on held events, events are missed and counted, and reported once until the webhook has caught up', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const [kept, lost] = [await commitEvents(db, at, 15), await commitEvents(db, at, 5)]
  await fanOut(db, { ...bound, maxHeld: 5 })
  await commitEvents(db, at, 2)
  await fanOut(db, { ...bound, maxHeld: 5 })
  t.like(await db.get('select waiting, missed from webhook_queues'), { waiting: 10, missed: lost.length + 2 })
  t.deepEqual(await entries(db), ['webhook-behind', 'webhook-backlog-full'])
  t.deepEqual(eventsOf(await deliver(db, { maxHeld: 5 }), webhookId), kept)
  t.deepEqual(await entries(db), ['webhook-behind', 'webhook-backlog-full', 'webhook-caught-up'])
  await leavesNothing(t, db)
})

test('if the bound is below the number of held events, none is added and the held ones are sent', async (t) => {
  const { db, at, webhookId } = await worldOf(t)
  const eventIds = await commitEvents(db, at, 15)
  await fanOut(db, bound)
  await commitEvents(db, at, 2)
  await fanOut(db, { ...bound, maxHeld: 0 })
  t.like(await db.get('select missed from webhook_queues'), { missed: 2 })
  t.deepEqual(eventsOf(await deliver(db, { maxHeld: 0 }), webhookId), eventIds)
  await leavesNothing(t, db)
})

test('events of many webhooks that are behind are all released, however little room one cycle has', async (t) => {
  const { db, at, webhookIds } = await worldOf(t, 30)
  const eventIds = await commitEvents(db, at, 40)
  await fanOut(db, bound)
  const begun = await deliver(db)
  for (const webhookId of webhookIds) t.deepEqual(eventsOf(begun, webhookId), eventIds)
  await leavesNothing(t, db)
})
