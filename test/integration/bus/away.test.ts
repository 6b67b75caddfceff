import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import test from 'ava'
import { connectBus } from '#shared/bus/bus.ts'
import { atMost } from '../../support/assertions/bounds.ts'
import { until } from '../../support/assertions/until.ts'
import { testBus, testPrefix } from '../../support/nats/bus.ts'
import { testNats } from '../../support/nats/nats.ts'
import { testLog } from '../../support/test-context/test-log.ts'

const eventIds = Array.from({ length: 50 }, (_, n) => `018f0000-0000-7000-8000-0000000000${n + 10}`)

test('a process starts without NATS, and joins when NATS is available', async (t) => {
  const nats = await testNats(t)
  await nats.kill()
  const bus = await testBus(t, nats.url, { away: true })
  t.false(bus.connected())
  const received: string[] = []
  await bus.consumeEvents(async (ids) => void received.push(...ids))
  bus.publishEvents({ requestId: 'r', eventIds: ['lost'] })
  bus.broadcast('dispatcher.wake', { webhookId: 'lost' })
  await nats.start()
  await until(async () => bus.connected(), { what: 'the process to connect' })
  await until(async () => {
    bus.publishEvents({ requestId: 'r', eventIds: ['sent'] })
    return received.includes('sent')
  })
  t.false(received.includes('lost'))
})

test('a process starts while a server says nothing, and continues with it when it answers', async (t) => {
  const taken = Promise.withResolvers<Socket>()
  const server = createServer(taken.resolve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const bus = await testBus(t, `nats://127.0.0.1:${(server.address() as AddressInfo).port}`, { away: true })
  t.false(bus.connected())
  const socket = await taken.promise
  t.teardown(() => socket.destroy())
  socket.write('INFO {"version":"2.9.0","headers":true}\r\n')
  t.regex(String(await once(socket, 'data')), /^CONNECT /)
})

test('the reason for a lost NATS connection is logged once for each reason', async (t) => {
  const nats = await testNats(t, { user: 'listd', password: 'canary-of-nats' })
  await nats.kill()
  const { log, lines } = testLog(t, 'gateway')
  const bus = await connectBus({
    url: `nats://${new URL(nats.url).host}`,
    prefix: testPrefix,
    replicas: 1,
    name: 'test',
    log,
  })
  t.teardown(bus.close)
  const reasons = () => lines.map((line) => JSON.parse(line)).map(({ event, reason }) => `${event} ${reason}`)
  await until(() => reasons().length === 1 || reasons())
  await nats.start()
  await until(() => reasons().length === 2 || reasons())
  t.regex(reasons()[0] ?? '', /^nats\.unavailable .*CONNECTION_REFUSED/)
  t.regex(reasons()[1] ?? '', /^nats\.unavailable .*Authorization/i)
})

// Serial: it measures the memory of the process.
test.serial(
  '60 s of 1,000 groups a second while NATS is down leave nothing in memory and nothing to send later',
  async (t) => {
    const nats = await testNats(t)
    const bus = await testBus(t, nats.url)
    await nats.kill()
    await until(async () => !bus.connected())
    const before = usedBytes()
    for (let n = 0; n < 60_000; n++) {
      bus.publishEvents({ requestId: 'r', eventIds })
      bus.broadcast('dispatcher.wake', { webhookId: 'w' })
      if (n % 100 === 0) await new Promise(setImmediate)
    }
    atMost(t, usedBytes() - before, 5 * 1024 * 1024, 'bytes')
    await nats.wipe()
    await nats.start()
    await until(async () => bus.connected())
    atMost(t, await nats.messagesIn(), 19, 'messages')
  },
)

test('a server that does not answer gets at most 64 messages, and then the connection is replaced', async (t) => {
  const nats = await testNats(t)
  const bus = await testBus(t, nats.url)
  const received: string[] = []
  await bus.consumeEvents(async (ids) => void received.push(...ids))
  await until(async () => {
    bus.publishEvents({ requestId: 'r', eventIds: ['first'] })
    return received.length > 0
  })
  await nats.freeze()
  for (let n = 0; n < 1_000; n++) bus.publishEvents({ requestId: 'r', eventIds: [`e${n}`] })
  await until(async () => !bus.connected(), { what: 'the process to notice the silence' })
  nats.thaw()
  await until(async () => bus.connected())
  await until(async () => {
    bus.publishEvents({ requestId: 'r', eventIds: ['last'] })
    return received.includes('last')
  })
  const numbered = new Set(received.filter((id) => id.startsWith('e')))
  t.true(numbered.size <= 64, `${numbered.size} messages`)
})

test('a server without JetStream is asked for it at increasing intervals', async (t) => {
  const nats = await testNats(t, { jetStream: false })
  const bus = await testBus(t, nats.url)
  await bus.consumeEvents(async () => {})
  const before = await nats.messagesIn()
  const received = async () => (await nats.messagesIn()) - before
  const count = 300
  for (let n = 1; n <= count; n++) {
    bus.publishEvents({ requestId: 'r', eventIds: ['a'] })
    await until(async () => (await received()) >= n)
  }
  // No stream receives the publishes. All other messages are attempts of the publisher and the consumer to create the stream.
  const asked = (await received()) - count
  t.true(asked < count / 3, `${asked} requests`)
})

test('user name and password of the URL are used', async (t) => {
  const nats = await testNats(t, { user: 'listd', password: 'p@ss/word' })
  const bus = await testBus(t, nats.url)
  t.true(bus.connected())
  const wrong = await testBus(t, nats.url.replace('p%40ss', 'other'), { away: true })
  t.false(wrong.connected())
})

function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
