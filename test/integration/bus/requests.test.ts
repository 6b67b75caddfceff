import test from 'ava'
import type { Bus } from '#shared/bus/bus.ts'
import { probe } from '#shared/bus/messages/dispatcher.ts'
import { AppError } from '#shared/errors.ts'
import { until } from '../../support/assertions/until.ts'
import { rawClient, saidToServer, testBus, testNames } from '../../support/nats/bus.ts'
import { testNats } from '../../support/nats/nats.ts'

const subject = 'dispatcher.probe'
const options = { timeoutMs: 5_000, requestId: 'request-1' }
const ask = (bus: Bus, url = 'https://example.com') =>
  bus.request<{ refused: string | null }>(subject, { accountId: 'account', url }, options)

test('a request is answered, and its id and deadline reach the handler', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const before = Date.now()
  dispatcher.respond(subject, {
    schema: probe,
    async handle({ url }, { requestId, deadline }) {
      t.is(url, 'https://example.com')
      t.is(requestId, 'request-1')
      t.true(deadline >= before + 5_000 && deadline <= Date.now() + 5_000)
      return { refused: null }
    },
  })
  await saidToServer(dispatcher)
  t.deepEqual(await ask(gateway), { refused: null })
})

test('an AppError is transferred with name, message, details and retry-after', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  const thrown = new AppError('WEBHOOK_URL_REFUSED', {
    message: 'Not this one.',
    details: { reason: 'tls' },
    retryAfterSeconds: 7,
  })
  bus.respond(subject, { schema: probe, handle: () => Promise.reject(thrown) })
  const error = await t.throwsAsync<AppError>(ask(bus), { instanceOf: AppError })
  t.like(error, { ...thrown, message: 'Not this one.' })
})

test('an unexpected error is transferred as INTERNAL_ERROR and reveals nothing of itself', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  bus.respond(subject, { schema: probe, handle: () => Promise.reject(new Error('canary at 10.0.0.1')) })
  const error = await t.throwsAsync<AppError>(ask(bus), { name: 'INTERNAL_ERROR' })
  t.false(`${error?.message} ${JSON.stringify(error?.details)} ${error?.stack}`.includes('canary'))
})

test('a request of another format starts nothing and returns INTERNAL_ERROR', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  bus.respond(subject, { schema: probe, handle: async () => t.fail() })
  for (const body of [{}, { accountId: 'a', url: 1 }, { accountId: 'a', url: 'a', more: 1 }, null, [], 'text']) {
    await t.throwsAsync(bus.request(subject, body, options), { name: 'INTERNAL_ERROR' })
  }
  const client = await rawClient(t, nats.url)
  for (const text of ['', 'no json', '{}', '[]', 'null']) {
    const answer = await client.request(testNames.subject(subject), text, { timeout: 30_000 })
    t.is(JSON.parse(answer.string()).error.name, 'INTERNAL_ERROR')
  }
})

test('a response of another format is INTERNAL_ERROR at once', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  bus.respond(subject, { schema: probe, handle: async () => ({ refused: 'because' }) })
  await t.throwsAsync(ask(bus), { name: 'INTERNAL_ERROR' })
})

test('processes that answer the same subject share its requests', async (t) => {
  const nats = await testNats(t)
  const gateway = await testBus(t, nats.url)
  const answered = [0, 0]
  for (const which of [0, 1]) {
    const bus = await testBus(t, nats.url)
    bus.respond(subject, {
      schema: probe,
      async handle() {
        answered[which] = (answered[which] ?? 0) + 1
        return { refused: null }
      },
    })
    await until(async () => (await ask(bus).catch(() => null)) !== null)
  }
  answered.fill(0)
  await Promise.all(Array.from({ length: 200 }, () => ask(gateway)))
  t.is((answered[0] ?? 0) + (answered[1] ?? 0), 200)
  t.true(Math.min(...answered) > 20, answered.join(' and '))
})

test('requests are answered again after NATS was restarted', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  dispatcher.respond(subject, { schema: probe, handle: async () => ({ refused: null }) })
  await nats.kill()
  await until(async () => !gateway.connected() && !dispatcher.connected())
  await nats.start()
  await until(async () => (await ask(gateway).catch(() => null)) !== null)
  t.deepEqual(await ask(gateway), { refused: null })
})

test('beyond 256 requests in progress the next is rejected at once', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const gate = Promise.withResolvers<void>()
  let atWork = 0
  dispatcher.respond(subject, {
    schema: probe,
    async handle() {
      atWork++
      await gate.promise
      return { refused: null }
    },
  })
  await saidToServer(dispatcher)
  const taken = Array.from({ length: 256 }, () => ask(gateway))
  await until(async () => atWork === 256)
  await t.throwsAsync(ask(gateway), { name: 'SERVICE_UNAVAILABLE' })
  gate.resolve()
  t.is((await Promise.all(taken)).length, 256)
})

test('closing waits for the requests in progress and accepts no more', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  dispatcher.respond(subject, {
    schema: probe,
    async handle({ url }) {
      begun.push(url)
      await gate.promise
      return { refused: null }
    },
  })
  await saidToServer(dispatcher)
  const answer = ask(gateway, 'first')
  await until(async () => begun.length === 1)
  const closed = dispatcher.close()
  await saidToServer(dispatcher)
  await t.throwsAsync(ask(gateway, 'second'), { name: 'SERVICE_UNAVAILABLE' })
  gate.resolve()
  t.deepEqual(await answer, { refused: null })
  await closed
  t.deepEqual(begun, ['first'])
  t.false(dispatcher.connected())
})
