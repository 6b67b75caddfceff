import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { openDatabase } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'
import { localServer, restartableServer } from '../support/backends/restartable-server.ts'
import { everythingIsDelivered } from '../support/delivered.ts'
import { createItem, setScene } from '../support/scene.ts'
import { until } from '../support/until.ts'

/** SQLite is never away. */
const onServer = localServer === null ? test.skip : test.serial
const services = ['gateway', 'identity', 'webhook-dispatcher'] as const

onServer('a database that crashes and comes back loses nothing, and nobody has to be restarted', async (t) => {
  t.timeout(180_000)
  if (!localServer) return
  const server = await restartableServer(t, localServer)
  const db = await openDatabase({ url: server.url, dataDir: '' })
  await migrate(db)
  await db.close()
  const scene = await setScene(t, { databaseUrl: server.url, webhooks: 3 })
  const pids = () => services.map((service) => scene.listd.pidOf(service))
  const before = pids()

  const acknowledged: string[] = []
  let stopped = false
  const writers = Array.from({ length: 8 }, async () => {
    while (!stopped) {
      // What is refused has told so; whether it is there nobody knows.
      const id = await createItem(scene).catch(() => null)
      if (id !== null) acknowledged.push(id)
      else await delay(20)
    }
  })
  const more = async (count: number) => {
    const target = acknowledged.length + count
    await until(async () => acknowledged.length > target, { withinMs: 30_000, what: `${count} more writes` })
  }
  for (let round = 0; round < 3; round++) {
    await more(100)
    await server.kill()
    await delay(300)
    await server.start()
  }
  await more(50)
  stopped = true
  await Promise.all(writers)

  await everythingIsDelivered(t, scene, { acknowledged, withinMs: 60_000 })
  t.deepEqual(pids(), before)
  t.is((await scene.listd.api('GET', '/health/ready')).status, 200)
  t.deepEqual(
    scene.listd.logged().filter(({ level }) => level === 'error'),
    [],
  )
})
