import test, { type ExecutionContext } from 'ava'
import { createRequestRates, type RatedRequest } from '#services/gateway/admission/request-rates.ts'
import { routes } from '#services/gateway/resources/index.ts'
import type { GatewayRequests } from '#shared/bus/messages/gateway.ts'
import { addCredits, readMonth, settleMonth } from '#shared/data/accounts/request-months.ts'
import { monthOf, type RateLimits } from '#shared/domain/plan/rates.ts'
import { until } from '../../../support/assertions/until.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { sharedSettings, startGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import { makeBareAccount } from '../../../support/sync/sync.ts'

const none: RateLimits = {
  rateLimit: null,
  maxRequestsPerMinute: null,
  maxRequestsPerMonth: null,
  overdraftPercent: null,
  perIdentity: null,
}

/** Gateways of one database that receive each other's messages. */
async function setUp(t: ExecutionContext, { gateways = 1, freePerMinute = null as number | null } = {}) {
  const { db } = await testDatabase(t)
  const accountId = await makeBareAccount(db)
  const clock = { at: Date.UTC(2026, 10, 15) }
  const sent: GatewayRequests[] = []
  const all = Array.from({ length: gateways }, (_, n) =>
    createRequestRates({
      now: () => clock.at,
      instance: `gateway ${n}`,
      freePerMinute,
      read: (account, month) => readMonth(db, account, month),
      store: (rows) => settleMonth(db, rows),
      broadcast(message) {
        sent.push(message)
        for (const one of all) one.hear(message)
      },
      onError: (error) => t.fail(String(error)),
    }),
  )
  t.teardown(() => Promise.all(all.map((one) => one.close())))
  const request = (rates: Partial<RateLimits>, more: Partial<RatedRequest> = {}): RatedRequest => {
    const token = { id: 'token', perMinute: null }
    return { accountId, token, identityId: null, isWrite: false, rates: { ...none, ...rates }, ...more }
  }
  const stored = () => readMonth(db, accountId, monthOf(clock.at).number)
  return { db, accountId, clock, gateway: all[0] ?? t.fail(), all, request, sent, stored }
}

type Gateway = ReturnType<typeof createRequestRates>

/** The number of admitted requests of `n` concurrent ones. */
async function admitted(gateway: Gateway, n: number, request: RatedRequest): Promise<number> {
  const admissions = await Promise.all(Array.from({ length: n }, () => gateway.admit(request)))
  return admissions.filter(({ rejection }) => rejection === null).length
}

const rejectionOf = async (gateway: Gateway, request: RatedRequest) => (await gateway.admit(request)).rejection

test('an account has the requests per minute of its plan, and sees how many are left', async (t) => {
  const { gateway, request } = await setUp(t)
  const limited = request({ maxRequestsPerMinute: 3 })
  t.deepEqual(await gateway.admit(limited), { quota: { total: 3, remaining: 2 }, rejection: null })
  t.is(await admitted(gateway, 5, limited), 2)
  const { quota, rejection } = await gateway.admit(limited)
  t.deepEqual(quota, { total: 3, remaining: 0 })
  t.like(rejection, { name: 'RATE_LIMIT_EXCEEDED', details: { limit: 'maxRequestsPerMinute', max: 3 } })
  t.true(Number(rejection?.retryAfterSeconds) > 55 && Number(rejection?.retryAfterSeconds) <= 60)
})

test('an identity has the requests that the plan gives to one, and does not use up those of others', async (t) => {
  const { gateway, request } = await setUp(t)
  const rates = { maxRequestsPerMinute: 10, perIdentity: { maxRequestsPerMinute: 2 } }
  t.is(await admitted(gateway, 5, request(rates, { identityId: 'ada' })), 2)
  t.is(await admitted(gateway, 1, request(rates, { identityId: 'bob' })), 1)
  t.like(await rejectionOf(gateway, request(rates, { identityId: 'ada' })), {
    details: { limit: 'perIdentity.maxRequestsPerMinute', max: 2 },
  })
  t.is(await admitted(gateway, 20, request(rates)), 7)
})

test('two requests of an account are as far apart as its plan requires', async (t) => {
  const { gateway, request, clock } = await setUp(t)
  const limited = request({ rateLimit: 200 })
  t.is(await admitted(gateway, 3, limited), 1)
  clock.at += 199
  t.like(await rejectionOf(gateway, limited), { details: { limit: 'rateLimit', max: 200 }, retryAfterSeconds: 1 })
  clock.at += 1
  t.is(await admitted(gateway, 3, limited), 1)
})

test('requests of a month are limited with overdraft and credits, however many arrive at once', async (t) => {
  const { gateway, request, db, accountId } = await setUp(t)
  await addCredits(db, accountId, 3)
  const write = request({ maxRequestsPerMonth: 10, overdraftPercent: 20 }, { isWrite: true })
  t.is(await admitted(gateway, 40, write), 10 + 2 + 3)
  const rejection = await rejectionOf(gateway, write)
  t.like(rejection, { name: 'RATE_LIMIT_EXCEEDED', details: { limit: 'maxRequestsPerMonth', max: 10 } })
  t.is(rejection?.retryAfterSeconds, (Date.UTC(2026, 11, 1) - Date.UTC(2026, 10, 15)) / 1_000)
  t.like(await gateway.used(accountId), { requests: 15, blocked: 26 })
})

test('an account whose month is used up reads at the rate of the free plan, and writes again in the next month', async (t) => {
  const { gateway, request, clock } = await setUp(t, { freePerMinute: 4 })
  const rates = { maxRequestsPerMinute: 100, maxRequestsPerMonth: 2 }
  t.is(await admitted(gateway, 5, request(rates, { isWrite: true })), 2)
  t.is(await admitted(gateway, 10, request(rates)), 2, 'in addition to the two of this minute')
  clock.at = Date.UTC(2026, 11, 1)
  t.is(await admitted(gateway, 1, request(rates, { isWrite: true })), 1)
})

test('gateways exchange what they have counted and stored', async (t) => {
  const { all, request, sent, accountId, stored } = await setUp(t, { gateways: 2 })
  const [one, other] = all
  if (!one || !other) return t.fail()
  const limited = request({ maxRequestsPerMinute: 10, maxRequestsPerMonth: 8 }, { isWrite: true })
  t.is(await admitted(other, 1, limited), 1)
  t.is(await admitted(one, 6, limited), 6)
  await until(() => sent.some(({ instance, counts }) => instance === 'gateway 0' && counts.length > 0) || sent)
  t.is(await admitted(other, 5, limited), 1, 'one is left of the month')
  await one.close()
  t.deepEqual(await stored(), { requests: 6, blocked: 0, credits: 0 })
  t.like(await other.used(accountId), { requests: 8 })
  await other.close()
  t.like(await stored(), { requests: 8, blocked: 4 })
})

test('a token has its own limit of requests per minute, even if the plan has none', async (t) => {
  const { gateway, request, accountId, stored } = await setUp(t)
  const of = (id: string) => ({ ...request({}, { token: { id, perMinute: 2 } }), rates: null })
  t.is(await admitted(gateway, 5, of('one')), 2)
  t.is(await admitted(gateway, 5, of('other')), 2)
  t.like(await rejectionOf(gateway, of('one')), { details: { limit: 'token.rateLimit', max: 2 } })
  t.is(await admitted(gateway, 5, request({ maxRequestsPerMinute: 100 }, { token: { id: 'one', perMinute: 3 } })), 1)
  await gateway.close()
  t.like(await stored(), { requests: 1 }, 'only what the plan of the account limits is counted')
  t.like(await gateway.used(accountId), { requests: 1, blocked: 4 })
})

const plans = { scale: { name: 'Scale' }, fast: { name: 'Fast', maxRequestsPerMinute: 1_000 } }

test('two gateways share the minute of an account: each counts what the other has admitted', async (t) => {
  const nats = await startNats()
  t.teardown(nats.dispose)
  const common = { routes, natsUrl: nats.url }
  const env = { LISTD_PLANS: JSON.stringify(plans) }
  const first = await startGateway(t, { ...common, env, instance: 'first' })
  const second = await startGateway(t, {
    ...common,
    env: { ...env, ...sharedSettings(first.deps.config) },
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
