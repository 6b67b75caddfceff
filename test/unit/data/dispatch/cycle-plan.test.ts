import test from 'ava'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { type CycleState, type CycleWork, planCycle } from '#shared/data/dispatch/cycle-plan.ts'
import type { QueueState } from '#shared/data/dispatch/queue-state.ts'
import type { OutboxEvent, WebhookListener } from '#shared/domain/webhook/fan-out.ts'
import type { Backlog } from '#shared/domain/webhook/held.ts'
import { testId } from '../../../support/databases/contents/rows.ts'

const holder = { owner: 'me', leaseMs: 30_000 }
const nothing: CycleWork = { settlements: [], outbox: null, slots: { fast: 1, slow: 1 }, claimDue: false }
const event: OutboxEvent = {
  eventId: 'e',
  accountId: 'a',
  requestId: 'r',
  listenerEpoch: 5,
  type: 'item.created',
  listId: 'l',
  itemId: 'i',
}

function queue(webhookId: string, change: Partial<QueueState> = {}): QueueState {
  return {
    webhookId,
    lane: 'fast',
    leaseOwner: null,
    leaseUntil: null,
    fence: 1,
    attemptDeliveryId: null,
    consecutiveFailures: 0,
    waiting: 0,
    pinging: 0,
    backlogFull: false,
    dueAt: 0,
    lastDeliveryAt: null,
    activeEpoch: 5,
    maxRequestsPerSecond: null,
    ...change,
  }
}

const leased = (webhookId: string) => queue(webhookId, { leaseOwner: 'me', attemptDeliveryId: 'd', waiting: 2 })

const listenerOf = ({ webhookId }: QueueState): WebhookListener => {
  return { webhookId, accountId: 'a', activeEpoch: 5, events: ['item.created'], listIds: [] }
}

/** Plans a cycle with one event for all of these queues. */
function plan(queues: QueueState[], work: Partial<CycleWork> = {}, backlogs: Backlog[] = []) {
  const listeners = { read: () => Promise.reject(new Error('a plan reads nothing')) }
  const rules = { retrySeconds: [30], disableAfter: 20, maxWaiting: 100, maxHeld: 100, newId: testId, listeners }
  const state: CycleState = {
    events: [event],
    listeners: queues.map(listenerOf),
    moreInOutbox: false,
    queues: new Map(queues.map((one) => [one.webhookId, one])),
    backlogs: new Map(backlogs.map((one) => [one.webhookId, one])),
    now: 1_000,
  }
  return planCycle(state, { work: { ...nothing, ...work }, holder, rules })
}

const leases = (queues: QueueState[], work: Partial<CycleWork> = {}) =>
  plan(queues, work).queues.map(({ lease }) => lease)

function succeeded(change: Partial<Claim>): CycleWork['settlements'][number] {
  const claim = { webhookId: 'w', fence: 1, deliveryId: 'd', event: 'item.created', lane: 'fast', ...change } as Claim
  return { claim, outcome: { status: 204, body: '', durationMs: 1, error: null }, lane: 'fast', shouldContinue: true }
}

test('as many free webhooks with an event start an attempt as their lanes have slots', (t) => {
  const queues = [queue('1'), queue('2'), queue('3', { lane: 'slow' })]
  t.deepEqual(leases(queues), ['starts', 'free', 'starts'])
})

test('a webhook whose limit allows no attempt yet takes no slot, whether it is free or was just sent to', (t) => {
  const bound = { maxRequestsPerSecond: 2, lastDeliveryAt: 900 }
  t.deepEqual(leases([queue('1', bound), queue('2')]), ['free', 'starts'])
  const held = queue('w', { ...bound, leaseOwner: 'me', attemptDeliveryId: 'd', waiting: 2 })
  t.deepEqual(leases([held], { settlements: [succeeded({})] }), ['free'])
  t.deepEqual(leases([{ ...held, lastDeliveryAt: 500 }], { settlements: [succeeded({})] }), ['continues'])
})

test('a cycle that claims due webhooks leaves them the slots', (t) => {
  t.deepEqual(leases([queue('1')], { claimDue: true }), ['free'])
})

test('a leased webhook keeps its lease and gets the delivery, expired or not', (t) => {
  const { queues, fanOut } = plan([queue('1', { leaseOwner: 'other', leaseUntil: 1, dueAt: 1, waiting: 3 })])
  t.like(queues[0], { lease: 'leased', queue: { leaseOwner: 'other', waiting: 4 } })
  t.like(fanOut.deliveries, [{ webhookId: '1', dueAt: 1_000 }])
})

test('an outcome counts while its queue has the owner, the fence and the delivery of its claim', (t) => {
  const count = (change: Partial<Claim>, of = leased('w')) =>
    plan([of], { settlements: [succeeded(change)] }).outcomes.length
  t.is(count({}), 1)
  t.is(count({ fence: 0 }), 0)
  t.is(count({ deliveryId: 'other' }), 0)
  t.is(count({ webhookId: 'gone' }), 0)
  t.is(count({}, { ...leased('w'), leaseOwner: 'other' }), 0)
})

test('the changes of an outcome and an event in one queue are one change', (t) => {
  const { queues } = plan([leased('w')], { settlements: [succeeded({})] })
  t.is(queues.length, 1)
  t.like(queues[0], { lease: 'continues', settled: { status: 'succeeded' }, queue: { waiting: 2 } })
})

test('a webhook that was disabled, or activated after the event, gets nothing', (t) => {
  const { fanOut } = plan([queue('1', { activeEpoch: null }), queue('2', { activeEpoch: 6 })])
  t.deepEqual([fanOut.deliveries, fanOut.unmatched], [[], ['e']])
})
