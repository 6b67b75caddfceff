import test, { type ExecutionContext } from 'ava'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { createDispatcher } from '#services/webhook-dispatcher/dispatcher.ts'
import { connectBus } from '#shared/bus/bus.ts'
import type { Wake } from '#shared/bus/messages/dispatcher.ts'
import { newId } from '#shared/crypto/ids.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { createLogger } from '#shared/log/logger.ts'
import { until } from '../../../support/assertions/until.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { itemChange, makeWebhook, wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { anotherConnection } from '../../../support/databases/database.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { testPrefix } from '../../../support/nats/bus.ts'
import { testNats } from '../../../support/nats/nats.ts'

const log = createLogger({ service: 'test', level: 'silent' })
const retrySeconds = [30, 120, 600, 3600, 10800, 21600, 43200]
const dropped: AttemptOutcome = { status: null, body: '', durationMs: 0, error: 'interrupted' }

/** A gateway and its dispatcher, whose receivers never answer. */
async function world(t: ExecutionContext, bounds = { maxWaiting: 1_000, maxHeld: 1_000 }) {
  const nats = await testNats(t)
  const { port, deps } = await startGateway(t, { routes: webhookRoutes, natsUrl: nats.url })
  const account = await makeAccount(deps.db)
  const listId = await addList(deps.db, account.accountId)
  const at = { accountId: account.accountId, listId }
  const eventIds: string[] = []
  const committer = createCommitter(deps.db, { announce: (committed) => eventIds.push(...enqueuedEvents(committed)) })
  const bus = await connectBus({ url: nats.url, prefix: testPrefix, replicas: 1, name: 'dispatcher', log })
  t.teardown(bus.close)
  const open = new Set<string>()
  let begun = 0
  const dispatcher = createDispatcher({
    db: await anotherConnection(t, deps.config.dataDir),
    log,
    holder: { owner: newId(), leaseMs: 30_000 },
    rules: { retrySeconds, disableAfter: 20, ...bounds, newId, listeners: createListeners() },
    concurrency: 8,
    timeoutMs: 10_000,
    announced: () => true,
    notifyOthers() {},
    onOutcome() {},
    attempt(claim, signal) {
      begun++
      open.add(claim.webhookId)
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          open.delete(claim.webhookId)
          resolve(dropped)
        }),
      )
    },
  })
  t.teardown(() => dispatcher.drain(0))
  bus.listen('dispatcher.wake', () => dispatcher.wake())
  await until(async () => deps.bus.connected() && bus.connected())
  return {
    deps,
    account,
    open,
    begun: () => begun,
    makeWebhook: () => makeWebhook(deps.db, at),
    hearStops: (onStop: (webhookId: string) => void = dispatcher.stop) =>
      bus.listen<Wake>('dispatcher.stop', ({ webhookId }) => onStop(webhookId)),
    ask: (request: Call) => call(port, { headers: account.user, ...request }),
    async give(count: number) {
      await Promise.all(Array.from({ length: count }, () => committer.commit(itemChange(at))))
      await dispatcher.fanOut(eventIds.splice(0))
    },
  }
}

test('a deactivation drops the open request, and none starts after its response; an activation sends waiting deliveries', async (t) => {
  const { ask, give, open, begun, hearStops, makeWebhook, deps } = await world(t)
  hearStops()
  const id = await makeWebhook()
  await give(3)
  await until(async () => open.has(id))
  const off = await ask({ method: 'PUT', path: `/webhooks/${id}`, body: { activated: false } })
  t.like(off, { status: 200, json: { activated: false, disabledReason: 'deactivated', waitingCount: 3 } })
  t.is(open.size, 0)
  const before = begun()
  t.deepEqual(await deps.db.all('select lease_owner from webhook_queues where lease_owner is not null'), [])
  t.is(begun(), before)
  const on = await ask({ method: 'PUT', path: `/webhooks/${id}`, body: { activated: true } })
  t.like(on.json, { activated: true, disabledAt: null, disabledReason: null, waitingCount: 3, failureCount: 0 })
  await until(async () => open.has(id), { what: 'a request after the activation' })
  t.deepEqual(await wrongWaitingCounts(deps.db), [])
})

test('a deletion drops the open request and deletes everything of the webhook', async (t) => {
  const { ask, give, open, begun, hearStops, makeWebhook, deps } = await world(t)
  hearStops()
  const [id, other] = [await makeWebhook(), await makeWebhook()]
  await give(250)
  await until(async () => open.size === 2)
  const removed = await Promise.all([1, 2].map(() => ask({ method: 'DELETE', path: `/webhooks/${id}` })))
  t.true(removed.every(({ status }) => status === 204 || status === 404))
  t.deepEqual([...open], [other])
  const before = begun()
  for (const table of ['deliveries', 'webhook_queues'] as const) {
    t.deepEqual(await deps.db.all(`select webhook_id from ${table} where webhook_id = ?`, [id]), [])
  }
  const orphans = 'select * from delivery_attempts where delivery_id not in (select id from deliveries)'
  t.deepEqual(await deps.db.all(orphans), [])
  t.is((await deps.db.get<{ n: number }>('select count(*) as n from event_payloads'))?.n, 250)
  t.is((await ask({ path: `/webhooks/${id}` })).status, 404)
  await give(1)
  t.is(begun(), before)
  const log = await deps.db.all("select * from events where type = 'webhook-deleted'")
  t.is(log.length, 1)
})

test('a change waits for a holder that does not release its lease until the lease expires', async (t) => {
  const { ask, give, open, hearStops, makeWebhook, deps } = await world(t)
  let reported = 0
  hearStops(() => reported++)
  const id = await makeWebhook()
  await give(1)
  await until(async () => open.has(id))
  const removed = ask({ method: 'DELETE', path: `/webhooks/${id}` })
  await until(async () => reported > 2, { what: 'the holder to be notified repeatedly' })
  t.is((await deps.db.all('select id from webhooks')).length, 1)
  await deps.db.run('update webhook_queues set lease_until = 1, due_at = 1')
  t.is((await removed).status, 204)
  t.deepEqual(await deps.db.all('select * from deliveries'), [])
})

test('a repeated activation does not change what the first one has set due, and the counters stay correct', async (t) => {
  const { ask, makeWebhook, deps } = await world(t)
  const id = await makeWebhook()
  const put = (activated: boolean) => ask({ method: 'PUT', path: `/webhooks/${id}`, body: { activated } })
  const epoch = async () => (await deps.db.get('select active_epoch from webhooks'))?.active_epoch
  const first = await epoch()
  t.is((await put(true)).status, 200)
  t.is(await epoch(), first)
  t.is((await put(false)).json?.disabledReason, 'deactivated')
  await deps.db.run("update webhooks set disabled_reason = '20 deliveries in a row failed for good'")
  t.is((await put(false)).json?.disabledReason, '20 deliveries in a row failed for good')
  const [on] = await Promise.all([put(true), put(true)])
  t.true(on.json?.activated)
  t.true(Number(await epoch()) > Number(first))
})

test('the count of missed events is set to 0 while events are missed; later missed events are counted and reported', async (t) => {
  const { ask, give, makeWebhook, deps } = await world(t, { maxWaiting: 1, maxHeld: 0 })
  const id = await makeWebhook()
  const clear = () => ask({ method: 'POST', path: `/webhooks/${id}/missed/clear` })
  await give(1)
  const during = await Promise.all(Array.from({ length: 10 }, async () => [await clear(), await give(2)] as const))
  for (const [answer] of during) t.is(answer.status, 200)
  t.like(await clear(), { status: 200, json: { missedCount: 0 } })
  const reported = () => deps.db.all("select id from events where type = 'webhook-backlog-full'")
  const before = (await reported()).length
  await give(3)
  t.is((await ask({ path: `/webhooks/${id}` })).json?.missedCount, 3)
  t.is((await reported()).length, before + 1)
})
