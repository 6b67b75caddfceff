import test from 'ava'
import { hears, type Listener, type OutboxEvent, planFanOut } from '#shared/domain/webhook/fan-out.ts'

const limits = { maxWaiting: 1000, maxDeliveries: 500 }

function event(change: Partial<OutboxEvent> = {}): OutboxEvent {
  const ids = { eventId: 'e1', accountId: 'a', requestId: 'r', listId: 'l1', itemId: 'i' }
  return { ...ids, webhookEpoch: 5, type: 'item.created', ...change }
}

function listener(change: Partial<Listener> = {}): Listener {
  const base = { webhookId: 'w1', accountId: 'a', listIds: [], activeEpoch: 5, waiting: 0, backlogFull: false }
  return { ...base, events: ['item.created'], ...change }
}

test('a webhook hears the types it lists', (t) => {
  t.true(hears(listener(), event()))
  t.false(hears(listener(), event({ type: 'item.deleted' })))
  t.false(hears(listener({ events: [] }), event()))
})

test('a webhook hears the lists it is set to; no lists means all', (t) => {
  t.true(hears(listener({ listIds: ['l1'] }), event()))
  t.false(hears(listener({ listIds: ['l2'] }), event()))
  t.true(hears(listener({ listIds: [] }), event({ listId: 'any' })))
})

test('an event goes to webhooks that were active when it was committed', (t) => {
  t.true(hears(listener({ activeEpoch: 4 }), event({ webhookEpoch: 5 })))
  t.false(hears(listener({ activeEpoch: 6 }), event({ webhookEpoch: 5 })))
})

test('a webhook of another account gets nothing', (t) => {
  const plan = planFanOut([event()], [listener({ accountId: 'b' })], limits)
  t.deepEqual(plan.deliveries, [])
  t.deepEqual(plan.unheard, ['e1'])
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

test('at 1,000 waiting deliveries no more are given, and what is missed is counted', (t) => {
  const events = ['e1', 'e2', 'e3'].map((eventId) => event({ eventId }))
  const plan = planFanOut(events, [listener({ waiting: 999 })], limits)
  t.is(plan.deliveries.length, 1)
  t.like(plan.heads[0], { added: 1, missed: 2, backlogFull: true, backlogBegan: true })
  t.deepEqual(plan.unheard, ['e2', 'e3'])
})

test('an episode of missed events begins once, and ends when half the backlog is sent', (t) => {
  const going = planFanOut([event()], [listener({ waiting: 1000, backlogFull: true })], limits)
  t.like(going.heads[0], { missed: 1, backlogFull: true, backlogBegan: false })
  const over = planFanOut([event()], [listener({ waiting: 10, backlogFull: true })], limits)
  t.like(over.heads[0], { added: 1, backlogFull: false, backlogBegan: false })
  const two = [event(), event({ eventId: 'e2' })]
  const between = planFanOut(two, [listener({ waiting: 999, backlogFull: true })], limits)
  t.like(between.heads[0], { added: 1, missed: 1, backlogFull: true, backlogBegan: false })
  const least = planFanOut(two, [listener({ backlogFull: true })], { ...limits, maxWaiting: 1 })
  t.like(least.heads[0], { added: 1, missed: 1, backlogFull: true, backlogBegan: true })
})

test('a plan stops before it passes its bound, but always takes one event', (t) => {
  const listeners = [listener(), listener({ webhookId: 'w2' })]
  const events = ['e1', 'e2', 'e3'].map((eventId) => event({ eventId }))
  t.is(planFanOut(events, listeners, { maxWaiting: 1000, maxDeliveries: 5 }).taken.length, 2)
  t.is(planFanOut(events, listeners, { maxWaiting: 1000, maxDeliveries: 1 }).taken.length, 1)
})
