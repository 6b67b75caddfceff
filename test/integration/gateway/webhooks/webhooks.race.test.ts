import test from 'ava'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { until } from '../../../support/assertions/until.ts'
import { wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { webhookWith } from '../../../support/webhooks/webhook-calls.ts'
import { answerProbes } from '../../../support/webhooks/webhook-probe.ts'

const cleanup = afterAll()
const url = 'https://canary.example.com/'
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  const nats = await startNats()
  cleanup.teardown(nats.dispose)
  const env = { LISTD_WEBHOOKS_MAX_WAITING: '500' }
  gateway = await startGateway(cleanup, { routes: [...webhookRoutes, ...deliveryRoutes], natsUrl: nats.url, env })
  await answerProbes(cleanup, nats.url)
  await until(async () => gateway.deps.bus.connected())
  account = await makeAccount(gateway.deps.db)
})

test('the plan limits the webhooks of an account, exactly, even with concurrent creates', async (t) => {
  const small = await makeAccount(gateway.deps.db, { plan: 'indie' })
  const create = () =>
    call(gateway.port, { method: 'POST', path: '/webhooks', headers: small.user, body: { url, events: [] } })
  const replies = await Promise.all(Array.from({ length: 12 }, create))
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [...Array(5).fill(201), ...Array(7).fill(403)])
  t.like(await create(), {
    status: 403,
    json: { name: 'WEBHOOK_LIMIT_REACHED', code: 24002, details: { plan: 'indie', max: 5 } },
  })
  const [first] = replies.filter(({ status }) => status === 201)
  await call(gateway.port, { method: 'DELETE', path: `/webhooks/${first?.json?.id}`, headers: small.user })
  t.is((await create()).status, 201)
})

test('redeliveries count toward the waiting limit, even if many race for the last place', async (t) => {
  const rows = [...Array(498).fill({ status: 'pending' }), ...Array(6).fill({ status: 'failed' })]
  const { db, redeliver, webhook, ids } = await webhookWith({ gateway, account }, rows)
  const replies = await Promise.all(ids.slice(498).map(redeliver))
  t.is(replies.filter(({ status }) => status === 200).length, 2)
  t.like(replies.find(({ status }) => status === 409)?.json, { name: 'WEBHOOK_BACKLOG_FULL', details: { max: 500 } })
  t.is((await webhook()).json?.waitingCount, 500)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('each of several concurrent changes of one webhook gets a response of the contract, and its counters stay correct', async (t) => {
  const rows = [...Array(20).fill({ status: 'failed' }), ...Array(20).fill({ status: 'pending' })]
  for (let round = 0; round < 5; round++) {
    const { db, ids, redeliver, ...calls } = await webhookWith({ gateway, account }, rows)
    const failed = { status: 'failed', since: '1970-01-01' }
    const asked = [
      ...[false, true, false, true].map((activated) => calls.put({ activated })),
      ...ids.slice(0, 10).map(redeliver),
      ...[1, 2].map(() => calls.redeliverFailed(failed)),
      ...[1, 2].map(() => calls.replaceSecret()),
      calls.put({ description: 'mine' }),
      ...(round % 2 ? [calls.remove(), calls.remove()] : []),
    ]
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    const expected = round % 2 ? [200, 204, 404, 409] : [200, 409]
    t.deepEqual([...statuses].filter((status) => !expected.includes(status)), []) // biome-ignore format: one line
    t.is((await calls.webhook()).status, round % 2 ? 404 : 200)
    t.deepEqual(await wrongWaitingCounts(db), [])
    t.deepEqual(await wrongEventCounts(db), [])
  }
})
