import test from 'ava'
import {
  type ActiveWebhook,
  type EmittedOutboxEvent,
  type ItemOutboxEvent,
  matches,
  planFanOut,
} from '#shared/domain/webhook/fan-out.ts'

const limits = { maxWaiting: 1000, maxHeld: 0, maxDeliveries: 500 }

function event(change: Partial<ItemOutboxEvent> = {}): ItemOutboxEvent {
  const ids = { eventId: 'e1', accountId: 'a', requestId: 'r', listId: 'l1', itemId: 'i' }
  return { ...ids, listenerEpoch: 5, type: 'item.created', ...change }
}

function listener(change: Partial<ActiveWebhook> = {}): ActiveWebhook {
  const base = { webhookId: 'w1', accountId: 'a', listIds: [], activeEpoch: 5, waiting: 0, backlogFull: false }
  return { ...base, behind: null, events: ['item.created'], ...change }
}

test('a webhook matches the types it lists', (t) => {
  t.true(matches(listener(), event()))
  t.false(matches(listener(), event({ type: 'item.deleted' })))
  t.false(matches(listener({ events: [] }), event()))
})

test('a webhook matches its lists; no lists means all', (t) => {
  t.true(matches(listener({ listIds: ['l1'] }), event()))
  t.false(matches(listener({ listIds: ['l2'] }), event()))
  t.true(matches(listener({ listIds: [] }), event({ listId: 'any' })))
})

test('an event goes to webhooks that were active when it was committed', (t) => {
  t.true(matches(listener({ activeEpoch: 4 }), event({ listenerEpoch: 5 })))
  t.false(matches(listener({ activeEpoch: 6 }), event({ listenerEpoch: 5 })))
})

test('a webhook of another account gets nothing', (t) => {
  const plan = planFanOut([event()], [listener({ accountId: 'b' })], limits)
  t.deepEqual(plan.deliveries, [])
  t.deepEqual(plan.unmatched, ['e1'])
})

test('an event that a flow emitted goes to the active webhooks that it names, whatever their event types', (t) => {
  const emitted: EmittedOutboxEvent = {
    eventId: 'e1',
    accountId: 'a',
    requestId: 'r',
    listenerEpoch: 5,
    type: 'flow.emit',
    listId: null,
    itemId: null,
    webhookIds: ['w1', 'w2', 'w3', 'gone'],
  }
  const named = listener({ events: [], listIds: ['other'] })
  const others = [listener({ webhookId: 'w4' }), listener({ webhookId: 'w2', activeEpoch: 6 })]
  const elsewhere = listener({ webhookId: 'w3', accountId: 'b' })
  const plan = planFanOut([emitted], [named, ...others, elsewhere], limits)
  t.deepEqual(
    plan.deliveries.map(({ webhookId }) => webhookId),
    ['w1'],
  )
})

test('every webhook gets the same event', (t) => {
  const plan = planFanOut([event()], [listener(), listener({ webhookId: 'w2' })], limits)
  t.deepEqual(
    plan.deliveries.map(({ webhookId, event: given }) => [webhookId, given.eventId]),
    [
      ['w1', 'e1'],
      ['w2', 'e1'],
    ],
  )
})

test('beyond 1,000 waiting deliveries no more are added, and missed events are counted', (t) => {
  const events = ['e1', 'e2', 'e3'].map((eventId) => event({ eventId }))
  const plan = planFanOut(events, [listener({ waiting: 999 })], limits)
  t.is(plan.deliveries.length, 1)
  t.like(plan.queues[0], { added: 1, missed: 2, backlogFull: true, missingBegan: true })
  t.deepEqual(plan.unmatched, ['e2', 'e3'])
})

test('an episode of missed events begins once, and ends when half of the waiting deliveries are sent', (t) => {
  const going = planFanOut([event()], [listener({ waiting: 1000, backlogFull: true })], limits)
  t.like(going.queues[0], { missed: 1, backlogFull: true, missingBegan: false })
  const over = planFanOut([event()], [listener({ waiting: 10, backlogFull: true })], limits)
  t.like(over.queues[0], { added: 1, backlogFull: false, missingBegan: false })
  const two = [event(), event({ eventId: 'e2' })]
  const between = planFanOut(two, [listener({ waiting: 999, backlogFull: true })], limits)
  t.like(between.queues[0], { added: 1, missed: 1, backlogFull: true, missingBegan: false })
  const least = planFanOut(two, [listener({ backlogFull: true })], { ...limits, maxWaiting: 1 })
  t.like(least.queues[0], { added: 1, missed: 1, backlogFull: true, missingBegan: true })
})

test('a plan stops before it exceeds its bound, but always includes one event', (t) => {
  const listeners = [listener(), listener({ webhookId: 'w2' })]
  const events = ['e1', 'e2', 'e3'].map((eventId) => event({ eventId }))
  t.is(planFanOut(events, listeners, { ...limits, maxDeliveries: 5 }).events.length, 2)
  t.is(planFanOut(events, listeners, { ...limits, maxDeliveries: 1 }).events.length, 1)
})

const holding = { ...limits, maxHeld: 3 }
const eventIds = ({ held }: { held: { event: { eventId: string } }[] }) => held.map(({ event: { eventId } }) => eventId)
const three = ['e1', 'e2', 'e3'].map((eventId) => event({ eventId }))

test('beyond 1,000 waiting deliveries further events are held, in their order, and the webhook is behind', (t) => {
  const plan = planFanOut(three, [listener({ waiting: 999 })], holding)
  t.is(plan.deliveries.length, 1)
  t.deepEqual(eventIds(plan), ['e2', 'e3'])
  t.like(plan.queues[0], { added: 1, held: 2, missed: 0, backlogFull: true, behindBegan: true, missingBegan: false })
  t.deepEqual(plan.unmatched, ['e2', 'e3'])
})

test('while events are held, new ones are held too, however few deliveries wait', (t) => {
  const behind = listener({ waiting: 0, backlogFull: true, behind: { held: 1, missing: false } })
  const plan = planFanOut([event()], [behind], holding)
  t.deepEqual([plan.deliveries.length, plan.held.length], [0, 1])
  t.like(plan.queues[0], { held: 1, backlogFull: true, behindBegan: false })
})

test('once no event is held, new events become deliveries, and the webhook stays behind until half of the bound is free', (t) => {
  const behind = listener({ waiting: 999, backlogFull: true, behind: { held: 0, missing: false } })
  const plan = planFanOut(three, [behind], holding)
  t.deepEqual([plan.deliveries.length, plan.held.length], [1, 2])
  t.like(plan.queues[0], { added: 1, held: 2, backlogFull: true, behindBegan: false })
})

test('a webhook that is behind stays behind even if a dispatcher of an earlier version has cleared its flag', (t) => {
  const cleared = listener({ waiting: 10, backlogFull: false, behind: { held: 2, missing: false } })
  t.like(planFanOut([event()], [cleared], holding).queues[0], {
    added: 0,
    held: 1,
    backlogFull: true,
    behindBegan: false,
  })
})

test('beyond the bound on held events, events are missed and counted, and reported once until the webhook has caught up', (t) => {
  const full = (missing: boolean) => listener({ waiting: 1000, backlogFull: true, behind: { held: 2, missing } })
  const plan = planFanOut(three, [full(false)], holding)
  t.deepEqual(eventIds(plan), ['e1'])
  t.like(plan.queues[0], { held: 1, missed: 2, missingBegan: true })
  t.like(planFanOut(three, [full(true)], holding).queues[0], { held: 1, missed: 2, missingBegan: false })
})

test('an event that a flow emitted is held like any other', (t) => {
  const emitted: EmittedOutboxEvent = {
    eventId: 'e1',
    accountId: 'a',
    requestId: 'r',
    listenerEpoch: 5,
    listId: null,
    itemId: null,
    type: 'flow.emit',
    webhookIds: ['w1'],
  }
  const plan = planFanOut([emitted], [listener({ waiting: 1000 })], holding)
  t.like(plan.held[0], { webhookId: 'w1', event: { type: 'flow.emit' } })
})

test('held events count toward the bound of a plan', (t) => {
  const full = listener({ waiting: 1000 })
  t.is(planFanOut(three, [full], { ...holding, maxDeliveries: 2 }).events.length, 2)
})
