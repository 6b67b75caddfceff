import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { besides, startGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'

const plans = { scale: { name: 'Scale' }, fast: { name: 'Fast', maxRequestsPerMinute: 1_000 } }

test('two gateways share the minute of an account: each counts what the other has let in', async (t) => {
  const nats = await startNats()
  t.teardown(nats.dispose)
  const common = { routes, natsUrl: nats.url }
  const env = { LISTD_PLANS: JSON.stringify(plans) }
  const first = await startGateway(t, { ...common, env, instance: 'first' })
  const second = await startGateway(t, {
    ...common,
    env: { ...env, ...besides(first.deps.config) },
    instance: 'second',
  })
  await until(() => first.deps.bus.connected() && second.deps.bus.connected())
  const account = await makeAccount(first.deps.db, { plan: 'fast' })
  const headers = await account.token()
  let sent = 0
  const remainingAt = async ({ port }: { port: number }) => {
    sent++
    const reply = await call(port, { path: '/lists', headers })
    t.deepEqual([reply.status, reply.headers['x-rate-limit-total']], [200, '1000'])
    return Number(reply.headers['x-rate-limit-remaining'])
  }
  for (let n = 0; n < 40; n++) await remainingAt(first)
  for (const gateway of [second, first]) {
    await until(async () => {
      const left = await remainingAt(gateway)
      return left === 1_000 - sent || left
    })
  }
})
