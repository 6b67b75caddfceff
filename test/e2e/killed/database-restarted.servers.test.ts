import test from 'ava'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { until } from '../../support/assertions/until.ts'
import { localServer, restartableServer } from '../../support/backends/restartable-server.ts'
import { keepCreating } from '../../support/load/load.ts'
import { rounds } from '../../support/load/soak.ts'
import { everythingIsDelivered } from '../../support/webhooks/delivered.ts'
import { setScene } from '../../support/webhooks/scene.ts'

const onServer = localServer === null ? test.skip : test
const services = ['gateway', 'identity', 'webhook-dispatcher'] as const

onServer('a database that crashes and starts again loses nothing, and no process has to be restarted', async (t) => {
  t.timeout(rounds({ once: 300_000, soak: 1_800_000 }))
  if (!localServer) return
  const server = await restartableServer(t, localServer)
  const db = await openDatabase({ url: server.url, dataDir: '' })
  await migrate(db)
  await db.close()
  // High enough that writes continue however many deliveries wait, and that no delivery is missed.
  const env = { LISTD_WEBHOOKS_MAX_WAITING: '1000000' }
  const scene = await setScene(t, { databaseUrl: server.url, webhooks: 3, env })
  const pids = () => services.map((service) => scene.listd.pidOf(service))
  const before = pids()

  const load = keepCreating(scene, { ahead: Number.POSITIVE_INFINITY })
  t.teardown(load.stop)
  const more = async (count: number) => {
    const enough = load.acknowledged.length + count
    await until(async () => load.acknowledged.length >= enough, { withinMs: 60_000, what: `${count} more writes` })
  }
  for (let round = 0; round < rounds({ once: 1, soak: 10 }); round++) {
    await more(100)
    const failures = load.failures()
    await server.kill()
    await until(async () => load.failures() > failures, { withinMs: 60_000, what: 'a write to fail' })
    await server.start()
  }
  await more(50)
  await load.stop()

  await everythingIsDelivered(t, scene, { acknowledged: load.acknowledged })
  t.deepEqual(pids(), before)
  t.is((await scene.listd.api('GET', '/health/ready')).status, 200)
  const logged = (event: string) => scene.listd.logged().filter((line) => line.event === event)
  const errors = scene.listd.logged().filter(({ level }) => level === 'error')
  t.deepEqual(errors, logged('database.lost'))
  // The identity service may have sent no statement in this time.
  for (const service of ['gateway', 'webhook-dispatcher']) {
    const lost = logged('database.lost').filter((line) => line.service === service)
    t.true(lost.length > 0 && lost.every(({ reason }) => reason), service)
    t.true(
      logged('database.connected').some((line) => line.service === service),
      service,
    )
  }
})
