import test, { type ExecutionContext } from 'ava'
import type { Deps } from '#services/gateway/context.ts'
import type { DeliveryWait } from '#services/gateway/resources/deliveries/delivery-notifier.ts'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { presence, type Wake } from '#shared/bus/messages/dispatcher.ts'
import type { RequestClient } from '#shared/bus/requests/requests.ts'
import type { Database } from '#shared/data/database.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeWebhook, wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { anotherConnection } from '../../../support/databases/database.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { saidToServer, testBus } from '../../../support/nats/bus.ts'
import { testNats } from '../../../support/nats/nats.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { settle } from '../../../support/webhooks/cycles.ts'

const holder = { owner: 'me', leaseMs: 30_000 }

/** An hour, so that no test passes by waiting for it. */
const longMs = 3_600_000
/** With it, the wait for a turn (twice the time-out plus 5 s) is zero: a ping does not wait for its turn. */
const impatientMs = -2_500

type Options = { timeoutMs?: number; adapt?(deps: Deps): Deps; present?(): Promise<object> }

/** A gateway without a dispatcher: the test itself claims, settles and rings, over its own connection. */
async function world(t: ExecutionContext, options: Options = {}) {
  const { timeoutMs = longMs, adapt = (deps: Deps) => deps, present = async () => ({}) } = options
  const nats = await testNats(t)
  const { port, deps } = await startGateway(t, {
    routes: [...webhookRoutes, ...deliveryRoutes],
    natsUrl: nats.url,
    adapt({ config, ...rest }) {
      return adapt({ ...rest, config: { ...config, webhooks: { ...config.webhooks, timeoutMs } } })
    },
  })
  const db = await anotherConnection(t, deps.config.dataDir)
  const bus = await testBus(t, nats.url)
  bus.respond('dispatcher.present', { schema: presence, handle: present })
  const woken: string[] = []
  bus.listen<Wake>('dispatcher.wake', ({ webhookId }) => void woken.push(webhookId))
  await until(async () => deps.bus.connected() && bus.connected())
  await saidToServer(bus)
  const account = await makeAccount(db)
  const webhookId = await makeWebhook(db, { accountId: account.accountId })
  const ask = (method: string, path: string) => call(port, { method, path, headers: account.user })
  return {
    db,
    deps,
    bus,
    woken,
    webhookId,
    ping: () => ask('POST', `/webhooks/${webhookId}/ping`),
    remove: () => ask('DELETE', `/webhooks/${webhookId}`),
    claim: () => db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 1 })),
    write(claim: Claim, status = 200) {
      const outcome = { status, body: 'hm', durationMs: 4, error: null }
      return settle(db, [{ claim, outcome, lane: 'fast', shouldContinue: true }], holder)
    },
    async untilPings(count: number) {
      const pings = () => db.all("select id from deliveries where event = 'ping'")
      await until(async () => (await pings()).length === count, { what: `${count} pings` })
    },
  }
}

/** Makes requests wait only for rings, and never look again on their own. */
function withoutLookingAgain({ deliveryNotifier: bells, ...deps }: Deps): Deps {
  function hear(deliveryId: string): DeliveryWait {
    const bell = bells.startWait(deliveryId)
    return { ...bell, next: () => bell.next(longMs) }
  }
  return { ...deps, deliveryNotifier: { ...bells, startWait: hear } }
}

test('a ping rings for a dispatcher, and its response arrives when that rings back', async (t) => {
  const adapt = withoutLookingAgain
  const { ping, claim, write, bus, woken, webhookId, untilPings } = await world(t, { adapt })
  const asked = ping()
  await untilPings(1)
  await until(async () => woken.includes(webhookId), { what: 'the ring for the webhook' })
  const [held] = await claim()
  if (!held) return t.fail()
  await write(held, 404)
  bus.broadcast('dispatcher.settled', { deliveryId: held.deliveryId })
  t.like(await asked, {
    status: 200,
    json: { id: held.deliveryId, status: 'failed', response: { status: 404, body: 'hm' } },
  })
})

test('a lost ring only delays until the next check', async (t) => {
  const { ping, claim, write, untilPings } = await world(t)
  const asked = ping()
  await untilPings(1)
  const [held] = await claim()
  if (!held) return t.fail()
  await write(held)
  t.like(await asked, { status: 200, json: { status: 'succeeded' } })
})

test('a request waits for the end of a ping whose turn began late', async (t) => {
  const [begun, waitedFor] = [Promise.withResolvers<Claim[]>(), Promise.withResolvers<void>()]
  // The first transaction of the gateway creates the ping, and then its turn begins; the second one would remove the ping.
  const afterwards = [async () => begun.resolve(await claim()), async () => waitedFor.resolve()]
  const adapt = ({ db: its, ...deps }: Deps): Deps => {
    const transaction: Database['transaction'] = async (work) => {
      const result = await its.transaction(work)
      await afterwards.shift()?.()
      return result
    }
    return { ...deps, db: { ...its, transaction } }
  }
  const { db, ping, claim, write } = await world(t, { timeoutMs: impatientMs, adapt })
  const asked = ping()
  const [held] = await begun.promise
  if (!held) return t.fail()
  await waitedFor.promise
  await write(held)
  t.like(await asked, { status: 200, json: { status: 'succeeded' } })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a ping without a turn is WEBHOOK_BUSY and removed', async (t) => {
  const { db, ping } = await world(t, { timeoutMs: impatientMs })
  t.like(await ping(), { status: 409, json: { name: 'WEBHOOK_BUSY', code: 24005 } })
  for (const table of ['deliveries', 'event_payloads']) t.deepEqual(await db.all(`select * from ${table}`), [])
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a gateway that ends withdraws its pings and says so', async (t) => {
  const { db, deps, ping, untilPings } = await world(t)
  const asked = ping()
  await untilPings(1)
  deps.deliveryNotifier.close()
  t.like(await asked, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.deepEqual(await db.all('select id from deliveries'), [])
})

test('deleting a webhook during its ping ends the ping as not found', async (t) => {
  const { db, ping, remove, untilPings } = await world(t)
  const asked = ping()
  await untilPings(1)
  t.is((await remove()).status, 204)
  t.like(await asked, { status: 404, json: { name: 'REQUESTED_ENTITY_NOT_FOUND' } })
  for (const table of ['deliveries', 'event_payloads', 'webhook_queues']) {
    t.deepEqual(await db.all(`select * from ${table}`), [])
  }
})

test('the eleventh ping that would wait is WEBHOOK_BUSY at once', async (t) => {
  const { ping, claim, write, untilPings } = await world(t)
  const asked = Array.from({ length: 10 }, ping)
  await untilPings(10)
  t.like(await ping(), { status: 409, json: { name: 'WEBHOOK_BUSY' } })
  for (let [held] = await claim(); held; [held] = (await write(held)) as Claim[]);
  t.true((await Promise.all(asked)).every(({ status }) => status === 200))
})

test('a ping waits less than a second for a dispatcher that does not respond, and leaves nothing', async (t) => {
  const waits: number[] = []
  const adapt = ({ bus, ...deps }: Deps): Deps => {
    const request: RequestClient = (subject, body, options) => {
      waits.push(options.timeoutMs)
      return bus.request(subject, body, options)
    }
    return { ...deps, bus: { ...bus, request } }
  }
  const { db, ping } = await world(t, { adapt, present: () => new Promise(() => {}) })
  t.like(await ping(), { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.deepEqual(waits, [500])
  t.deepEqual(await db.all('select id from deliveries'), [])
})
