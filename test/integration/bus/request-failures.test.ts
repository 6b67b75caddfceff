import test, { type ExecutionContext } from 'ava'
import type { Bus } from '#shared/bus/bus.ts'
import { probe } from '#shared/bus/subjects.ts'
import type { AppError } from '#shared/errors.ts'
import { rawClient, testBus } from '../../support/bus.ts'
import { testNats } from '../../support/nats.ts'
import { until } from '../../support/until.ts'

const subject = 'dispatcher.probe'
const options = { timeoutMs: 5_000, requestId: 'request-1' }
const ask = (bus: Bus, url = 'https://example.com', changes: Partial<typeof options> = {}) =>
  bus.request<{ refused: string | null }>(subject, { url }, { ...options, ...changes })

async function unavailableWithin(t: ExecutionContext, ms: number, asking: () => Promise<unknown>): Promise<void> {
  const before = performance.now()
  const error = await t.throwsAsync<AppError>(asking(), { name: 'SERVICE_UNAVAILABLE' })
  t.is(error?.retryAfterSeconds, 1)
  const tookMs = performance.now() - before
  t.true(tookMs < ms, `${tookMs} ms`)
}

test('nobody answers the subject: SERVICE_UNAVAILABLE within a second', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  await unavailableWithin(t, 1_000, () => ask(bus))
})

test('NATS is away: SERVICE_UNAVAILABLE within a second', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  await nats.kill()
  await until(async () => !bus.connected())
  await unavailableWithin(t, 1_000, () => ask(bus))
})

for (const [what, end] of [
  ['dies', 'kill'],
  ['freezes', 'freeze'],
] as const) {
  test(`NATS ${what} while a request is open: SERVICE_UNAVAILABLE within a second`, async (t) => {
    const nats = await testNats(t)
    const bus = await testBus(t, nats.url)
    const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    t.teardown(gate.resolve)
    bus.respond(subject, {
      shape: probe,
      async handle() {
        asked.resolve()
        await gate.promise
      },
    })
    await unavailableWithin(t, 1_100, async () => {
      const answer = ask(bus)
      await Promise.race([answer, asked.promise])
      await nats[end]()
      return answer
    })
  })
}

test('no answer in time: SERVICE_UNAVAILABLE', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  const gate = Promise.withResolvers<void>()
  t.teardown(gate.resolve)
  bus.respond(subject, { shape: probe, handle: () => gate.promise })
  await unavailableWithin(t, 1_500, () => ask(bus, 'slow', { timeoutMs: 700 }))
})

test('a request whose deadline has passed is dropped before it starts', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  const started: string[] = []
  bus.respond(subject, {
    shape: probe,
    async handle({ url }) {
      started.push(url)
      return { refused: null }
    },
  })
  const client = await rawClient(t, nats.url)
  const late = { requestId: 'r', deadline: Date.now() - 1, body: { url: 'late' } }
  client.publish(subject, JSON.stringify(late), { reply: 'nobody' })
  await client.flush()
  await ask(bus, 'in time')
  t.deepEqual(started, ['in time'])
})
