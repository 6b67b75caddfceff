import test, { type ExecutionContext } from 'ava'
import { createDispatcher, type DispatcherOptions } from '#services/webhook-dispatcher/dispatcher.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { createListeners, type Listeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { createLogger } from '#shared/log/logger.ts'
import { until } from '../../support/assertions/until.ts'
import { itemChange, makeList, makeWebhook, testId, wrongWaitingCounts } from '../../support/databases/contents/rows.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { testLog } from '../../support/test-context/test-log.ts'

const ok: AttemptOutcome = { status: 200, body: '', durationMs: 1, error: null }
const retrySeconds = [30, 120, 600, 3600, 10800, 21600, 43200]

/** A dispatcher on a real database; the test decides the outcomes of attempts. */
async function dispatching(
  t: ExecutionContext,
  options: Partial<DispatcherOptions> & Pick<DispatcherOptions, 'attempt'>,
) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const eventIds: string[] = []
  const committer = createCommitter(db, { announce: (committed) => eventIds.push(...enqueuedEvents(committed)) })
  const dispatcher = createDispatcher({
    db,
    log: createLogger({ service: 'test', level: 'silent' }),
    holder: { owner: testId(), leaseMs: 30_000 },
    rules: {
      retrySeconds,
      disableAfter: 20,
      maxWaiting: 1000,
      maxHeld: 1000,
      newId: testId,
      listeners: createListeners(),
    },
    concurrency: 8,
    timeoutMs: 10_000,
    announced: () => true,
    notifyOthers() {},
    onOutcome() {},
    ...options,
  })
  t.teardown(() => dispatcher.drain(0))
  const change = (count: number) => Promise.all(Array.from({ length: count }, () => committer.commit(itemChange(at))))
  const settled = () =>
    until(async () => {
      const row = await db.get<{ n: number }>("select count(*) as n from deliveries where status = 'pending'")
      return row?.n === 0 && dispatcher.serving() === 0
    })
  return { db, at, dispatcher, change, eventIds, settled }
}

test('every event reaches every webhook once, one delivery in flight per webhook', async (t) => {
  const open = new Map<string, number>()
  const sent: string[] = []
  let most = 0
  const { db, at, dispatcher, change, eventIds, settled } = await dispatching(t, {
    async attempt(claim) {
      const now = (open.get(claim.webhookId) ?? 0) + 1
      open.set(claim.webhookId, now)
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      open.set(claim.webhookId, now - 1)
      sent.push(`${claim.webhookId} ${claim.eventId}`)
      return ok
    },
  })
  for (let n = 0; n < 20; n++) await makeWebhook(db, at)
  await change(30)
  await dispatcher.fanOut(eventIds)
  await settled()
  t.is(sent.length, 600)
  t.is(new Set(sent).size, 600)
  t.is(most, 1)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('events that were not announced are found in the outbox', async (t) => {
  const sent: string[] = []
  const attempt = async (claim: Claim) => {
    sent.push(claim.eventId)
    return ok
  }
  const { db, at, dispatcher, change, settled } = await dispatching(t, { attempt, announced: () => false })
  await makeWebhook(db, at)
  await change(3)
  dispatcher.wake()
  await until(() => sent.length === 3 || sent)
  await settled()
  t.is(new Set(sent).size, 3)
})

test('a sweep that is long overdue runs before announced events, so that these cannot delay it forever', async (t) => {
  const sent: string[] = []
  const attempt = async (claim: Claim) => {
    sent.push(claim.eventId)
    return ok
  }
  const { db, at, dispatcher, change, eventIds, settled } = await dispatching(t, { attempt })
  await makeWebhook(db, at)
  await change(1)
  await db.run('update outbox set created_at = 1')
  await change(1)
  await dispatcher.fanOut(eventIds.slice(1))
  await settled()
  t.deepEqual(sent, eventIds)
})

test('announced events do not wait for the end of a sweep that takes several cycles', async (t) => {
  const { read } = createListeners()
  let cycles = 0
  const listeners: Listeners = {
    read(tx, accounts) {
      cycles++
      return read(tx, accounts)
    },
  }
  const rules = { retrySeconds, disableAfter: 20, maxWaiting: 1_000, maxHeld: 1_000, newId: testId, listeners }
  const { db, at, dispatcher, change, eventIds } = await dispatching(t, { attempt: async () => ok, rules })
  await makeWebhook(db, at)
  await change(501)
  await db.run('update outbox set created_at = 1')
  await change(1)
  await dispatcher.fanOut(eventIds.slice(501))
  t.is(cycles, 2)
  await until(async () => (await db.all('select 1 from outbox')).length === 0)
})

test('a free webhook is claimed by the transaction that adds its delivery, without a search for due ones', async (t) => {
  const sent: Claim[] = []
  const answered = Promise.withResolvers<void>()
  const attempt = async (claim: Claim) => {
    sent.push(claim)
    await answered.promise
    return ok
  }
  const { db, at, dispatcher, change, eventIds, settled } = await dispatching(t, { attempt })
  const webhookId = await makeWebhook(db, at)
  await change(2)
  await dispatcher.fanOut(eventIds)
  const queue = await db.get('select attempt_delivery_id, fence, waiting from webhook_queues')
  t.deepEqual(queue, { attempt_delivery_id: sent[0]?.deliveryId, fence: 1, waiting: 2 })
  answered.resolve()
  await settled()
  t.deepEqual(
    sent.map((claim) => [claim.webhookId, claim.eventId, claim.number, claim.fence]),
    eventIds.toSorted().map((eventId) => [webhookId, eventId, 1, 1]),
  )
})

test('a delivery that arrives during the previous attempt is sent as soon as that ends', async (t) => {
  const sent: string[] = []
  const first = Promise.withResolvers<void>()
  const { db, at, dispatcher, change, eventIds, settled } = await dispatching(t, {
    async attempt(claim) {
      sent.push(claim.eventId)
      if (sent.length === 1) await first.promise
      return ok
    },
  })
  await makeWebhook(db, at)
  await change(1)
  await dispatcher.fanOut(eventIds)
  await change(1)
  await dispatcher.fanOut(eventIds.slice(1))
  first.resolve()
  await settled()
  t.deepEqual(sent, eventIds)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('receivers that never answer do not delay those that do', async (t) => {
  const hanging = new Set<string>()
  let delivered = 0
  const { db, at, dispatcher, change, eventIds } = await dispatching(t, {
    attempt(claim, signal) {
      if (!hanging.has(claim.webhookId)) {
        delivered++
        return Promise.resolve(ok)
      }
      const interrupted: AttemptOutcome = { status: null, body: '', durationMs: 9, error: 'interrupted' }
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(interrupted)))
    },
  })
  for (let n = 0; n < 4; n++) hanging.add(await makeWebhook(db, at))
  await makeWebhook(db, at)
  await change(1)
  await dispatcher.fanOut(eventIds)
  await until(async () => delivered === 1 && dispatcher.serving() === 4)
  t.pass()
})

test('no request starts if the lease may expire during it', async (t) => {
  let attempts = 0
  const { db, at, dispatcher, change, eventIds } = await dispatching(t, {
    holder: { owner: 'short', leaseMs: 11_000 },
    attempt: async () => {
      attempts++
      return ok
    },
  })
  await makeWebhook(db, at)
  await change(1)
  await dispatcher.fanOut(eventIds)
  await until(async () => (await db.all("select 1 from deliveries where error = 'interrupted'")).length > 0)
  t.is(attempts, 0)
})

test('stopping a webhook drops its open request and releases its lease', async (t) => {
  const { db, at, dispatcher, change, eventIds } = await dispatching(t, {
    attempt: (_claim, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ status: null, body: '', durationMs: 5, error: 'interrupted' }))
      }),
  })
  const webhookId = await makeWebhook(db, at)
  await change(1)
  await dispatcher.fanOut(eventIds)
  await until(() => dispatcher.serving() === 1 || dispatcher.serving())
  await db.run('update webhooks set activated = 0')
  dispatcher.stop(webhookId)
  await until(async () => (await db.all('select 1 from webhook_queues where lease_owner is null')).length === 1)
  t.like(await db.get('select status, attempts from deliveries'), { status: 'pending', attempts: 1 })
})

test('the log reports once when a webhook fails, recovers, is disabled or misses events, and only the host of its URL', async (t) => {
  const lines: Record<string, unknown>[] = []
  const log = createLogger({
    service: 'test',
    level: 'info',
    output: { write: (line) => lines.push(JSON.parse(line)) },
  })
  const statuses = [500, 500, 200, 200, 500, 500, 500, 200]
  let missed = 0
  const { db, at, dispatcher, change, eventIds } = await dispatching(t, {
    onMissed: (count) => {
      missed += count
    },
    attempt: async () => ({ ...ok, status: statuses.shift() ?? 200 }),
    log,
    rules: {
      retrySeconds: [],
      disableAfter: 3,
      maxWaiting: 8,
      maxHeld: 0,
      newId: testId,
      listeners: createListeners(),
    },
  })
  const webhookId = await makeWebhook(db, { ...at, url: 'https://example.com:8443/path?key=secret' })
  await change(10)
  await dispatcher.fanOut(eventIds)
  await until(async () => (await db.get('select 1 as found from webhooks where activated = 0')) !== undefined)
  await until(() => dispatcher.serving() === 0)
  t.is(missed, 2)
  const about = { webhookId, accountId: at.accountId, host: 'example.com:8443' }
  t.like(lines, {
    length: 5,
    0: { event: 'webhook.events_missed', level: 'error', ...about, missed: 2 },
    1: { event: 'webhook.failing', level: 'warn', ...about, status: 500, error: null, failures: 1, waiting: 7 },
    2: { event: 'webhook.recovered', level: 'info', ...about, status: 200, failures: 2, waiting: 5 },
    3: { event: 'webhook.failing', ...about, failures: 1, waiting: 3 },
    4: { event: 'webhook.disabled', level: 'error', ...about, status: 500, failures: 3, waiting: 1 },
  })
})

test('draining waits for open requests, drops hanging ones, and writes every outcome', async (t) => {
  const { log, lines } = testLog(t, 'webhook-dispatcher')
  const { db, at, dispatcher, change, eventIds } = await dispatching(t, {
    log,
    attempt: (claim, signal) =>
      new Promise((resolve) => {
        const interrupted: AttemptOutcome = { status: null, body: '', durationMs: 5, error: 'interrupted' }
        if (claim.number === 1) signal.addEventListener('abort', () => resolve(interrupted))
      }),
  })
  await makeWebhook(db, at)
  await makeWebhook(db, at)
  await change(2)
  await dispatcher.fanOut(eventIds)
  await until(() => dispatcher.serving() === 2 || dispatcher.serving())
  await dispatcher.drain(10)
  t.is(dispatcher.serving(), 0)
  t.deepEqual(await db.all('select lease_owner from webhook_queues'), [{ lease_owner: null }, { lease_owner: null }])
  t.is((await db.all("select 1 from deliveries where error = 'interrupted'")).length, 2)
  t.like(
    lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'dispatcher.drain_timed_out'),
    { attempts: 2 },
  )
})
