import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import test, { type ExecutionContext } from 'ava'
import { AckPolicy, type ConsumerInfo, DiscardPolicy, nanos, StorageType } from 'nats'
import { until } from '../../support/assertions/until.ts'
import { collect, rawClient, testBus, testNames, untilFlowing } from '../../support/nats/bus.ts'
import { testNats } from '../../support/nats/nats.ts'

const { stream, subject } = testNames

test('after nats-server was killed and its storage deleted, events flow again on their own', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const received: string[] = []
  await collect(dispatcher, received)
  await untilFlowing(gateway, received, 'before')
  for (const round of ['first', 'second']) {
    await nats.kill()
    await until(async () => !gateway.connected() && !dispatcher.connected())
    await nats.wipe()
    await nats.start()
    await untilFlowing(gateway, received, round)
  }
  t.pass()
})

test('a deleted stream, and then a deleted consumer, are created again', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const received: string[] = []
  await collect(dispatcher, received)
  await untilFlowing(gateway, received, 'before')
  const manager = await (await rawClient(t, nats.url)).jetstreamManager()
  await manager.streams.delete(stream)
  await untilFlowing(gateway, received, 'stream')
  await manager.consumers.delete(stream, 'fan-out')
  await untilFlowing(gateway, received, 'consumer')
  t.pass()
})

test('a stream that accepts messages but delivers none, because its files were deleted, delivers again', async (t) => {
  const nats = await testNats(t)
  const [gateway, dispatcher] = [await testBus(t, nats.url), await testBus(t, nats.url)]
  const received: string[] = []
  await collect(dispatcher, received)
  const manager = await (await rawClient(t, nats.url)).jetstreamManager()
  await until(() => manager.consumers.info(stream, 'fan-out').then(isPulled, () => false))
  await nats.wipe()
  await untilFlowing(gateway, received, 'wiped')
  t.pass()
})

test('a dispatcher that loses its pull pulls again', async (t) => {
  const nats = await testNats(t)
  const gateway = await testBus(t, nats.url)
  const received: string[] = []
  await collect(await testBus(t, await losingOne(t, nats.url, 'MSG.NEXT')), received)
  const manager = await (await rawClient(t, nats.url)).jetstreamManager()
  await until(() =>
    manager.consumers.info(stream, 'fan-out').then(
      ({ num_waiting }) => num_waiting === 0,
      () => false,
    ),
  )
  // Sooner than nats.js would miss heartbeats: one check finds messages, a second one confirms it, a third allows for a slow answer.
  gateway.publishEvents({ requestId: 'r', eventIds: ['waiting'] })
  await until(() => received.includes('waiting') || received, { withinMs: 30_000 })
  t.pass()
})

test('messages that a gateway publishes before any dispatcher runs wait in the stream, and the first dispatcher gets them', async (t) => {
  const nats = await testNats(t)
  const gateway = await testBus(t, nats.url)
  const manager = await (await rawClient(t, nats.url)).jetstreamManager()
  const exists = () =>
    manager.streams.info(stream).then(
      () => true,
      () => false,
    )
  await until(exists, { what: 'the stream to be created' })
  gateway.publishEvents({ requestId: 'r', eventIds: ['early'] })
  const received: string[] = []
  await collect(await testBus(t, nats.url), received)
  await until(() => received.includes('early') || received)
  t.pass()
})

test('the stream is bounded, the consumer acknowledges nothing, and existing ones get our settings', async (t) => {
  const nats = await testNats(t)
  const manager = await (await rawClient(t, nats.url)).jetstreamManager()
  await manager.streams.add({ name: stream, subjects: [subject('events.committed')], max_msgs: 5 })
  await manager.consumers.add(stream, {
    durable_name: 'fan-out',
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(1_000),
    max_ack_pending: 1,
  })
  const dispatcher = await testBus(t, nats.url)
  const received: string[] = []
  await collect(dispatcher, received)
  await untilFlowing(dispatcher, received, 'first')
  const { config } = await manager.streams.info(stream)
  t.is(config.max_age, nanos(600_000))
  t.is(config.max_bytes, 64 * 1024 * 1024)
  t.is(config.max_msgs, -1)
  t.is(config.discard, DiscardPolicy.Old)
  t.is(config.storage, StorageType.File)
  const consumer = await manager.consumers.info(stream, 'fan-out')
  t.is(consumer.config.ack_policy, AckPolicy.None)
})

const isPulled = ({ num_waiting }: ConsumerInfo) => num_waiting > 0

/** A proxy of the server that sends the first request to a subject to one that no process answers. @returns its URL */
async function losingOne(t: ExecutionContext, url: string, subject: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const open: Socket[] = []
  let lost = false
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    open.push(client, server)
    server.pipe(client)
    client.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      const loses = !lost && text.includes(subject)
      lost ||= loses
      server.write(loses ? text.replace(subject, subject.replace(/.$/, '_')) : chunk, 'latin1')
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => {
    proxy.close()
    for (const end of open) end.destroy()
  })
  return url.replace(port, String((proxy.address() as AddressInfo).port))
}
