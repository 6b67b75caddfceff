import test, { type ExecutionContext } from 'ava'
import type { Deps } from '#services/gateway/deps.ts'
import { deliveryRoutes } from '#services/gateway/routes/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/routes/webhooks/routes.ts'
import { presence, type Wake } from '#shared/bus/subjects.ts'
import { type Claim, claimDue } from '#shared/data/webhooks/claims.ts'
import { testBus } from '../../support/bus.ts'
import { makeAccount } from '../../support/callers.ts'
import { call } from '../../support/client.ts'
import { startGateway } from '../../support/gateway.ts'
import { testNats } from '../../support/nats.ts'
import { makeWebhook, wrongWaitingCounts } from '../../support/rows.ts'
import { settle } from '../../support/turns.ts'
import { until } from '../../support/until.ts'

const holder = { owner: 'me', leaseMs: 30_000 }

/** Twice of it and 5 s are 100 ms: what a ping waits for its turn. */
const impatient = -2_450

/** A gateway, and the ends of a dispatcher: the test claims, settles and rings itself. */
async function world(t: ExecutionContext, timeoutMs = 10_000) {
  const nats = await testNats(t)
  const routes = [...webhookRoutes, ...deliveryRoutes]
  const adapt = (deps: Deps): Deps => {
    const { config } = deps
    return { ...deps, config: { ...config, webhooks: { ...config.webhooks, timeoutMs } } }
  }
  const { port, deps } = await startGateway(t, { routes, natsUrl: nats.url, adapt })
  const bus = await testBus(t, nats.url)
  bus.respond('dispatcher.present', { shape: presence, handle: async () => ({}) })
  const woken: string[] = []
  bus.listen<Wake>('dispatcher.wake', ({ webhookId }) => void woken.push(webhookId))
  await until(async () => deps.bus.connected() && bus.connected())
  const account = await makeAccount(deps.db)
  const webhookId = await makeWebhook(deps.db, { accountId: account.accountId })
  const ask = (method: string, path: string) => call(port, { method, path, headers: account.user })
  return {
    ...{ deps, bus, woken, webhookId },
    ping: () => ask('POST', `/webhooks/${webhookId}/ping`),
    remove: () => ask('DELETE', `/webhooks/${webhookId}`),
    claim: () => deps.db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 1 })),
    write(claim: Claim, status = 200) {
      const outcome = { status, body: 'hm', durationMs: 4, error: null }
      return settle(deps.db, [{ claim, outcome, lane: 'fast', goOn: true }], holder)
    },
    async untilPings(count: number) {
      const pings = () => deps.db.all("select id from deliveries where event = 'ping'")
      await until(async () => (await pings()).length === count, { what: `${count} pings` })
    },
  }
}

test('a ping rings for a dispatcher, and its answer comes when that rings back', async (t) => {
  const { ping, claim, write, bus, woken, webhookId, untilPings } = await world(t)
  const asked = ping()
  await untilPings(1)
  await until(async () => woken.includes(webhookId), { what: 'the ring' })
  const [held] = await claim()
  if (!held) return t.fail()
  await write(held, 404)
  const settledAt = performance.now()
  bus.broadcast('dispatcher.settled', { deliveryId: held.deliveryId })
  t.like(await asked, {
    status: 200,
    json: { id: held.deliveryId, status: 'failed', response: { status: 404, body: 'hm' } },
  })
  t.true(performance.now() - settledAt < 500)
})

test('a ring that is lost is made up for by looking again', async (t) => {
  const { ping, claim, write, untilPings } = await world(t)
  const asked = ping()
  await untilPings(1)
  const [held] = await claim()
  if (!held) return t.fail()
  await write(held)
  t.like(await asked, { status: 200, json: { status: 'succeeded' } })
})

test('a ping whose turn began late is waited for to its end', async (t) => {
  const { deps, ping, claim, write, untilPings } = await world(t, impatient)
  const asked = ping()
  await untilPings(1)
  const [held] = await claim()
  if (!held) return t.fail()
  await new Promise((resolve) => setTimeout(resolve, 300))
  await write(held)
  t.like(await asked, { status: 200, json: { status: 'succeeded' } })
  t.deepEqual(await wrongWaitingCounts(deps.db), [])
})

test('a ping without a turn is WEBHOOK_BUSY and taken back', async (t) => {
  const { deps, ping } = await world(t, impatient)
  t.like(await ping(), { status: 409, json: { name: 'WEBHOOK_BUSY', code: 24005 } })
  for (const table of ['deliveries', 'event_payloads']) t.deepEqual(await deps.db.all(`select * from ${table}`), [])
  t.deepEqual(await wrongWaitingCounts(deps.db), [])
})

test('a gateway that ends takes its pings back and says so', async (t) => {
  const { deps, ping, untilPings } = await world(t)
  const asked = ping()
  await untilPings(1)
  deps.bells.close()
  t.like(await asked, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.deepEqual(await deps.db.all('select id from deliveries'), [])
})

test('a webhook deleted under its ping is gone for the ping too', async (t) => {
  const { deps, ping, remove, untilPings } = await world(t)
  const asked = ping()
  await untilPings(1)
  t.is((await remove()).status, 204)
  t.like(await asked, { status: 404, json: { name: 'REQUESTED_ENTITY_NOT_FOUND' } })
  for (const table of ['deliveries', 'event_payloads', 'webhook_heads']) {
    t.deepEqual(await deps.db.all(`select * from ${table}`), [])
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
