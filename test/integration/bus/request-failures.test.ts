import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { Bus } from '#shared/bus/bus.ts'
import { probe } from '#shared/bus/messages/dispatcher.ts'
import type { AppError } from '#shared/errors.ts'
import { until } from '../../support/assertions/until.ts'
import { patient, rawClient, saidToServer, testBus, testNames } from '../../support/nats/bus.ts'
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

test('no process answers the subject: SERVICE_UNAVAILABLE, whatever the time-out', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  await isUnavailable(t, ask(bus))
})

test('NATS is down: SERVICE_UNAVAILABLE, whatever the time-out', async (t) => {
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
    // A waiting request notices silence long before the connection is closed for it.
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

/** A vanished machine, which the server still counts as a responder. @returns the keys of the requests that it received */
async function vanished(t: ExecutionContext, url: string, { takes }: { takes: boolean }): Promise<string[]> {
  const keys: string[] = []
  const client = await rawClient(t, url)
  const name = testNames.subject(subject)
  client.subscribe(name, {
    queue: name,
    callback(_error, message) {
      keys.push(JSON.parse(message.string()).key)
      if (takes) message.respond('{"taken":true}')
    },
  })
  await client.flush()
  return keys
}

for (const takes of [false, true]) {
  const when = takes ? 'after it has taken requests' : 'before it takes one'
  test(`a machine vanishes ${when}: another process gets the request, with the same key`, async (t) => {
    const nats = await testNats(t)
    const [gateway, dispatcher] = [await testBus(t, nats.url, { waits: patient }), await testBus(t, nats.url)]
    const lost = await vanished(t, nats.url, { takes })
    const handled = new Set<string>()
    dispatcher.respond(subject, {
      schema: probe,
      async handle(_body, { key }) {
        handled.add(key)
        return { refused: null }
      },
    })
    await saidToServer(dispatcher)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(gateway)))
    t.is(answers.length, 20)
    t.true(lost.length > 0)
    for (const key of lost) t.true(handled.has(key))
    t.is(handled.size, 20)
  })
}

test('a long request is not sent to another process while it is being handled', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url, { waits: patient }), await testBus(t, nats.url)]
  let asked = 0
  dispatcher.respond(subject, {
    schema: probe,
    async handle() {
      asked++
      await pause(4_000)
      return { refused: null }
    },
  })
  await saidToServer(dispatcher)
  t.deepEqual(await ask(gateway), { refused: null })
  t.is(asked, 1)
})

test('a connection that ends while a request is handled does not end the process', async (t) => {
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
  await nats.kill()
  await isUnavailable(t, answer)
  // In this time the responder would report that it still works on the request.
  await pause(1_000)
  t.pass()
})
