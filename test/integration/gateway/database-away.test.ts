import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { until } from '../../support/assertions/until.ts'
import { localServer, type RestartableServer, restartableServer } from '../../support/backends/restartable-server.ts'
import { wrongEventCounts } from '../../support/databases/contents/events.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../support/http/gateway.ts'

/** SQLite has no server that could be away. */
const onServer = localServer === null ? test.skip : test

type Scene = { server: RestartableServer; gateway: TestGateway; headers: Record<string, string> }

async function setScene(t: ExecutionContext, env: Record<string, string> = {}): Promise<Scene> {
  if (!localServer) throw new Error('there is no server')
  const server = await restartableServer(t, localServer)
  const db = await openDatabase({ url: server.url, dataDir: '' })
  await migrate(db)
  await db.close()
  const gateway = await startGateway(t, { routes, env: { LISTD_DATABASE_URL: server.url, ...env } })
  const headers = await (await makeAccount(gateway.deps.db)).token()
  await call(gateway.port, { method: 'POST', path: '/sync-schema', headers, body: { lists: { things: {} } } })
  return { server, gateway, headers }
}

const create = ({ gateway, headers }: Scene, title: string) =>
  call(gateway.port, { method: 'POST', path: '/lists/things/items', headers, body: { data: { title } } })
const list = ({ gateway, headers }: Scene) => call(gateway.port, { path: '/lists/things/items', headers })
const ready = ({ gateway }: Scene) => call(gateway.port, { path: '/health/ready' })

onServer('while the database is away requests get 503 with retry-after, and later they succeed', async (t) => {
  t.timeout(300_000)
  const scene = await setScene(t)
  t.is((await create(scene, 'before')).status, 201)
  await scene.server.kill()
  for (const answer of [await create(scene, 'meanwhile'), await list(scene), await ready(scene)]) {
    t.like(answer, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
    t.regex(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  }
  t.is((await call(scene.gateway.port, { path: '/health/live' })).status, 200)
  await scene.server.start()
  await until(async () => (await ready(scene)).status === 200)
  t.is((await create(scene, 'after')).status, 201)
  t.deepEqual((await list(scene)).json?.total, 2)
})

onServer('while the database is paused requests get 503, and when it continues they succeed', async (t) => {
  t.timeout(300_000)
  const scene = await setScene(t)
  t.is((await create(scene, 'before')).status, 201)
  await scene.server.freeze()
  const answers = await Promise.all([create(scene, 'meanwhile'), list(scene), ready(scene)])
  for (const { status, headers } of answers) {
    t.is(status, 503)
    t.regex(String(headers['retry-after']), /^[1-9]\d*$/)
  }
  scene.server.thaw()
  await until(async () => (await ready(scene)).status === 200)
  t.is((await create(scene, 'after')).status, 201)
})

onServer('when the database crashes under load no acknowledged write is lost and none is applied twice', async (t) => {
  t.timeout(300_000)
  const scene = await setScene(t)
  const acknowledged: string[] = []
  const rejected = new Set<number>()
  let stopped = false
  let count = 0
  const writers = Array.from({ length: 16 }, async () => {
    while (!stopped) {
      const title = `item ${++count}`
      const { status } = await create(scene, title)
      if (status === 201) acknowledged.push(title)
      else rejected.add(status)
    }
  })
  for (let round = 0; round < 3; round++) {
    const before = acknowledged.length
    await until(() => acknowledged.length > before + 200 || acknowledged.length - before)
    await scene.server.kill()
    await delay(100)
    await scene.server.start()
  }
  const before = acknowledged.length
  await until(() => acknowledged.length > before + 50 || acknowledged.length - before)
  stopped = true
  await Promise.all(writers)
  t.deepEqual([...rejected], [503])

  const { db } = scene.gateway.deps
  const rows = await db.all<{ data: string }>('select data from items')
  const titles = rows.map(({ data }) => JSON.parse(data).title)
  t.is(new Set(titles).size, titles.length)
  const stored = new Set(titles)
  t.deepEqual(
    acknowledged.filter((title) => !stored.has(title)),
    [],
  )
  t.like(await db.get('select item_count from lists'), { item_count: titles.length })
  t.like(await db.get("select count(*) as n from events where type = 'item-created'"), { n: titles.length })
  t.deepEqual(await wrongEventCounts(db), [])
})

onServer('while every connection is in use requests get 503 with retry-after; after that they succeed', async (t) => {
  t.timeout(300_000)
  const scene = await setScene(t, { LISTD_DATABASE_POOL: '2' })
  const { db } = scene.gateway.deps
  const released = Promise.withResolvers<void>()
  const holding = [1, 2].map((n) =>
    db.transaction(async (tx) => {
      await tx.all('select id from accounts where id = ?', [`held ${n}`])
      await released.promise
    }),
  )
  const answers = await Promise.all([create(scene, 'meanwhile'), list(scene), ready(scene)])
  for (const { status, headers } of answers) {
    t.is(status, 503)
    t.regex(String(headers['retry-after']), /^[1-9]\d*$/)
  }
  released.resolve()
  await Promise.all(holding)
  t.is((await ready(scene)).status, 200)
  t.is((await create(scene, 'after')).status, 201)
})
