import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { connect } from 'nats'
import { everythingIsDelivered } from '../support/delivered.ts'
import { createItem, createItems, freezeDispatcher, type Scene, setScene } from '../support/scene.ts'
import { until } from '../support/until.ts'

/** Younger than what a sweep of the outbox takes while NATS is there: what comes sooner came over the stream. */
const overStreamMs = 4_000

test.serial(
  'nats-server killed and its storage wiped: changes before, meanwhile and after are delivered',
  async (t) => {
    t.timeout(120_000)
    const scene = await setScene(t)
    const { listd } = scene
    const acknowledged = await createItems(scene, 5)
    // These are published and not yet taken when the storage goes.
    await freezeDispatcher(scene)
    acknowledged.push(...(await createItems(scene, 5)))

    // A supervisor that stands still starts nothing again before the storage is wiped.
    listd.supervisor.kill('SIGSTOP')
    const dead = listd.pidOf('nats-server')
    process.kill(dead, 'SIGKILL')
    await rm(join(listd.dataDir, 'nats'), { recursive: true })
    acknowledged.push(...(await createItems(scene, 5)))
    listd.signal('webhook-dispatcher', 'SIGCONT')
    listd.supervisor.kill('SIGCONT')

    await until(async () => ![0, dead].includes(listd.pidOf('nats-server')), { what: 'another nats-server' })
    acknowledged.push(...(await createItems(scene, 5)))
    await everythingIsDelivered(t, scene, { acknowledged })
    acknowledged.push(...(await createUntilStreamed(scene)))
    await everythingIsDelivered(t, scene, { acknowledged })
  },
)

test.serial(
  'the stream deleted under the running service: changes before, meanwhile and after are delivered',
  async (t) => {
    t.timeout(120_000)
    const scene = await setScene(t)
    const { listd } = scene
    await freezeDispatcher(scene)
    const acknowledged = await createItems(scene, 5)
    await deleteStream(listd.dataDir)
    acknowledged.push(...(await createItems(scene, 5)))
    listd.signal('webhook-dispatcher', 'SIGCONT')
    acknowledged.push(...(await createItems(scene, 5)))
    await everythingIsDelivered(t, scene, { acknowledged })
    acknowledged.push(...(await createUntilStreamed(scene)))
    await everythingIsDelivered(t, scene, { acknowledged })
  },
)

/** Creates items one by one until one comes over the stream again. @returns all of them */
async function createUntilStreamed(scene: Scene): Promise<string[]> {
  const acknowledged: string[] = []
  await until(async () => {
    const already = scene.receiver.requests.length
    const sentAt = performance.now()
    acknowledged.push(await createItem(scene))
    await scene.receiver.received(already + 1)
    return performance.now() - sentAt < overStreamMs
  })
  return acknowledged
}

async function deleteStream(dataDir: string): Promise<void> {
  const { host, username, password } = new URL(await readFile(join(dataDir, 'nats-url'), 'utf8'))
  const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) })
  const { streams } = await nats.jetstreamManager()
  await streams.delete('EVENTS')
  await nats.close()
}
