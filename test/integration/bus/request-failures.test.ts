import test, { type ExecutionContext } from 'ava'
import type { Bus } from '#shared/bus/bus.ts'
import { probe } from '#shared/bus/messages/dispatcher.ts'
import type { AppError } from '#shared/errors.ts'
import { until } from '../../support/assertions/until.ts'
import { rawClient, testBus } from '../../support/nats/bus.ts'
import { testNats } from '../../support/nats/nats.ts'

const subject = 'dispatcher.probe'
/** An hour, so that no test passes by waiting for it. */
const options = { timeoutMs: 3_600_000, requestId: 'request-1' }
const ask = (bus: Bus, url = 'https://example.com', changes: Partial<typeof options> = {}) =>
  bus.request<{ refused: string | null }>(subject, { accountId: 'account', url }, { ...options, ...changes })

async function isUnavailable(t: ExecutionContext, answer: Promise<unknown>): Promise<void> {
  const error = await t.throwsAsync<AppError>(answer, { name: 'SERVICE_UNAVAILABLE' })
  t.is(error?.retryAfterSeconds, 1)
}

test('nobody answers the subject: SERVICE_UNAVAILABLE, whatever the time-out', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  await isUnavailable(t, ask(bus))
})

test('NATS is away: SERVICE_UNAVAILABLE, whatever the time-out', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  await nats.kill()
  await until(async () => !bus.connected())
  await isUnavailable(t, ask(bus))
})

for (const end of ['kill', 'freeze'] as const) {
  test(`NATS ends (${end}) while a request is open: SERVICE_UNAVAILABLE, whatever the time-out`, async (t) => {
    const nats = await testNats(t)
    const bus = await testBus(t, nats.url)
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    t.teardown(gate.resolve)
    bus.respond(subject, {
      schema: probe,
      async handle() {
        asked.resolve()
        await gate.promise
      },
    })
    const answer = ask(bus)
    await Promise.race([answer, asked.promise])
    await nats[end]()
    await isUnavailable(t, answer)
    // Silence is noticed by whoever waits, well before the connection is given up for it.
    t.is(bus.connected(), end === 'freeze')
  })
}

test('no answer in time: SERVICE_UNAVAILABLE', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  const gate = Promise.withResolvers<void>()
  t.teardown(gate.resolve)
  bus.respond(subject, { schema: probe, handle: () => gate.promise })
  await isUnavailable(t, ask(bus, 'slow', { timeoutMs: 100 }))
})

test('a request whose deadline has passed is dropped before it starts', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  const started: string[] = []
  bus.respond(subject, {
    schema: probe,
    async handle({ url }) {
      started.push(url)
      return { refused: null }
    },
  })
  const client = await rawClient(t, nats.url)
  const late = { requestId: 'r', deadline: Date.now() - 1, body: { accountId: 'account', url: 'late' } }
  client.publish(subject, JSON.stringify(late), { reply: 'nobody' })
  await client.flush()
  await ask(bus, 'in time')
  t.deepEqual(started, ['in time'])
})
