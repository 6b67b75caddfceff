import { setImmediate as nextTick } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { Bus } from '#shared/bus/bus.ts'
import { atMost } from '../../support/assertions/bounds.ts'
import { until } from '../../support/assertions/until.ts'
import { collect, rawClient, testBus, testNames, untilFlowing } from '../../support/nats/bus.ts'
import { testNats } from '../../support/nats/nats.ts'

/** Publishes one event per message, and waits until the stream has delivered all of them and `to` has received its messages. */
async function deliver(
  t: ExecutionContext,
  url: string,
  { to, eventIds }: { to: Bus; eventIds: string[] },
): Promise<void> {
  const client = await rawClient(t, url)
  const { consumers } = await client.jetstreamManager()
  const send = (id: string) =>
    client
      .jetstream()
      .publish(testNames.subject('events.committed'), JSON.stringify({ requestId: 'r', eventIds: [id] }))
  const last = Math.max(...(await Promise.all(eventIds.map(send))).map(({ seq }) => seq))
  await until(async () => (await consumers.info(testNames.stream, 'fan-out')).delivered.stream_seq >= last)
  await to.flushed()
  await nextTick()
}

test('a committed group reaches a consumer in another process', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const received: string[] = []
  await collect(dispatcher, received)
  await untilFlowing(gateway, received, 'first')
  gateway.publishEvents({ requestId: 'r', eventIds: ['a', 'b', 'c'] })
  await until(async () => received.includes('c'), { what: 'the group to be received' })
  t.deepEqual(received.slice(-3), ['a', 'b', 'c'])
})

test('two dispatchers share the events: each goes to one of them', async (t) => {
  const nats = await testNats(t)
  const gateway = await testBus(t, nats.url)
  const [one, other]: [string[], string[]] = [[], []]
  await collect(await testBus(t, nats.url), one)
  await collect(await testBus(t, nats.url), other)
  await untilFlowing(gateway, one, 'one')
  const ids = Array.from({ length: 500 }, (_, n) => `e${n}`)
  const received = () => [...one, ...other].filter((id) => id.startsWith('e'))
  // A quarter of the allowed unanswered messages at a time, so that the sweep has nothing to do.
  for (let sent = 0; sent < ids.length; ) {
    for (const id of ids.slice(sent, sent + 16)) gateway.publishEvents({ requestId: 'r', eventIds: [id] })
    sent = Math.min(sent + 16, ids.length)
    await until(() => received().length >= sent || received(), { what: `${sent} events to be received` })
  }
  t.deepEqual(received().toSorted(), ids.toSorted())
})

test('events that arrive while a batch is handled are passed on together, within the bound', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const batches: string[][] = []
  const gate = Promise.withResolvers<void>()
  let atWork = 0
  await dispatcher.consumeEvents(
    async (eventIds) => {
      t.is(++atWork, 1)
      batches.push(eventIds)
      await gate.promise
      atWork--
    },
    { maxEventIds: 20 },
  )
  await until(async () => {
    gateway.publishEvents({ requestId: 'r', eventIds: ['first'] })
    return batches.length === 1
  })
  await deliver(t, nats.url, { to: dispatcher, eventIds: Array.from({ length: 30 }, (_, n) => `e${n}`) })
  gate.resolve()
  await until(async () => batches.flat().includes('e29'))
  atMost(t, Math.max(...batches.map((batch) => batch.length)), 20, 'events in a batch')
  atMost(t, batches.length, 5, 'batches')
})

test('events that could not be handled are delivered again', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const handled: string[] = []
  let throws = 2
  await dispatcher.consumeEvents(async (eventIds) => {
    if (eventIds.includes('a') && throws-- > 0) throw new Error('the database is away')
    handled.push(...eventIds)
  })
  await untilFlowing(gateway, handled, 'first')
  gateway.publishEvents({ requestId: 'r', eventIds: ['a'] })
  await until(async () => handled.includes('a'))
  t.true(throws <= 0)
})

test('a stopping consumer completes its current batch, and its other events go to another consumer at once', async (t) => {
  const nats = await testNats(t)
  const [gateway, one, other] = [await testBus(t, nats.url), await testBus(t, nats.url), await testBus(t, nats.url)]
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const ended: string[] = []
  const consumer = await one.consumeEvents(async (eventIds) => {
    begun.push(...eventIds)
    await gate.promise
    ended.push(...eventIds)
  })
  await untilFlowing(gateway, begun, 'first')
  const rest: string[] = []
  await collect(other, rest)
  await untilFlowing(gateway, rest, 'other')
  const ids = Array.from({ length: 40 }, (_, n) => `e${n}`)
  await deliver(t, nats.url, { to: one, eventIds: ids })
  const received = () => [...new Set([...ended, ...rest].filter((id) => id.startsWith('e')))]
  await until(async () => received().length > 0)
  atMost(t, received().length, ids.length - 1, 'events received')
  const stopped = consumer.stop()
  gate.resolve()
  await stopped
  t.deepEqual(ended, begun)
  await until(() => received().length === ids.length || received())
})

test('a message of another format is discarded and stops nothing', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  const received: string[] = []
  await collect(bus, received)
  await untilFlowing(bus, received, 'before')
  const client = await rawClient(t, nats.url)
  for (const text of ['', 'no json', '[]', '{"eventIds":["x"]}', '{"requestId":"r","eventIds":[1]}']) {
    client.publish(testNames.subject('events.committed'), text)
  }
  await client.flush()
  await untilFlowing(bus, received, 'after')
  t.false(received.includes('x'))
})
