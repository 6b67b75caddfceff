import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { connect, type JetStreamManager } from 'nats'
import { consumerName } from '#shared/bus/stream/stream.ts'
import { until } from '../../support/assertions/until.ts'
import { shared } from '../../support/test-context/shared.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import {
  createItem,
  createItems,
  freezeDispatcher,
  type Scene,
  setScene,
  setSceneOn,
} from '../../support/webhooks/scene.ts'

const base = shared((t) => setScene(t, { webhooks: 0 }))
const patience = { withinMs: 60_000 }

test.serial('the stream deleted while the service runs: changes before, during and after are delivered', async (t) => {
  const scene = await setSceneOn(t, base())
  const { listd } = scene
  await freezeDispatcher(scene)
  const acknowledged = await createItems(scene, 5)
  t.true(await withJetStream(scene, async ({ streams }) => streams.delete(await onlyStream(streams))))
  acknowledged.push(...(await createItems(scene, 5)))
  listd.signal('webhook-dispatcher', 'SIGCONT')
  acknowledged.push(...(await createItems(scene, 5)))
  await everythingIsDelivered(t, scene, { acknowledged })
  acknowledged.push(...(await createUntilStreamed(scene)))
  await everythingIsDelivered(t, scene, { acknowledged })
})

test.serial('nats-server killed and its storage deleted: changes before, during and after are delivered', async (t) => {
  const scene = await setSceneOn(t, base())
  const { listd } = scene
  const acknowledged = await createItems(scene, 5)
  // These messages are published but not yet consumed when the storage is deleted.
  await freezeDispatcher(scene)
  acknowledged.push(...(await createItems(scene, 5)))

  // A frozen supervisor restarts nothing before the storage is deleted.
  listd.supervisor.kill('SIGSTOP')
  const dead = listd.pidOf('nats-server')
  process.kill(dead, 'SIGKILL')
  await rm(join(listd.dataDir, 'nats'), { recursive: true })
  acknowledged.push(...(await createItems(scene, 5)))
  listd.signal('webhook-dispatcher', 'SIGCONT')
  listd.supervisor.kill('SIGCONT')

  const isAnother = async () => ![0, dead].includes(listd.pidOf('nats-server'))
  await until(isAnother, { ...patience, what: 'another nats-server' })
  acknowledged.push(...(await createItems(scene, 5)))
  await everythingIsDelivered(t, scene, { acknowledged })
  acknowledged.push(...(await createUntilStreamed(scene)))
  await everythingIsDelivered(t, scene, { acknowledged })
})

/**
 * Creates items one by one until the dispatcher has received a message from the new stream, which shows that deliveries do not
 * wait for a sweep of the outbox. @returns the ids of all created items
 */
async function createUntilStreamed(scene: Scene): Promise<string[]> {
  const acknowledged: string[] = []
  const isTaken = async () => {
    acknowledged.push(await createItem(scene))
    const consumer = await withJetStream(scene, async ({ consumers, streams }) =>
      consumers.info(await onlyStream(streams), consumerName),
    )
    return (consumer?.delivered.consumer_seq ?? 0) > 0
  }
  await until(isTaken, { ...patience, what: 'a delivered message' })
  return acknowledged
}

const onlyStream = async (streams: JetStreamManager['streams']) => (await streams.names().next())[0] ?? ''

/** Queries the nats-server itself. @returns null while the server or the requested object does not exist */
async function withJetStream<T>({ listd }: Scene, ask: (manager: JetStreamManager) => Promise<T>): Promise<T | null> {
  const { host, username, password } = new URL(await readFile(join(listd.dataDir, 'nats-url'), 'utf8'))
  const nats = await connect({ servers: host, user: username, pass: decodeURIComponent(password) }).catch(() => null)
  if (!nats) return null
  const answer = await ask(await nats.jetstreamManager()).catch(() => null)
  await nats.close()
  return answer
}
