import test, { type ExecutionContext } from 'ava'
import { silentListener } from '#shared/data/database-listener.ts'
import { AppError } from '#shared/errors.ts'
import { atMost } from '../../../support/assertions/bounds.ts'
import { until } from '../../../support/assertions/until.ts'
import { cuttingProxy } from '../../../support/databases/cutting-proxy.ts'
import { anotherConnection, databaseSettings, testBackend, testDatabase } from '../../../support/databases/database.ts'

/** SQLite has no connection that could break. */
const onServer = testBackend === 'sqlite' ? test.skip : test

const insert = 'insert into leases (name, owner, lease_until, fence) values (?, ?, ?, ?)'

/** A database, and the same one through a proxy that can break its connections. */
async function setUp(t: ExecutionContext) {
  const { db: direct, dataDir } = await testDatabase(t)
  const proxy = await cuttingProxy(t, databaseSettings(dataDir).LISTD_DATABASE_URL ?? '')
  const reported: string[] = []
  const listener = { ...silentListener, lost: () => reported.push('lost'), connected: () => reported.push('connected') }
  const db = await anotherConnection(t, dataDir, { url: proxy.url, listener })
  const names = async () => (await direct.all<{ name: string }>('select name from leases')).map(({ name }) => name)
  return { db, proxy, names, reported }
}

for (const when of ['before-server', 'after-server'] as const) {
  onServer(`a commit whose connection broke ${when} is never reported as success, and never done twice`, async (t) => {
    const { db, proxy, names, reported } = await setUp(t)
    let runs = 0
    proxy.cutAt(/commit(?!ted)/, when) // not of "read committed"
    const outcome = db.transaction(async (tx) => {
      runs++
      await tx.run(insert, ['row', null, 0, 0])
    })
    const error = await t.throwsAsync(outcome, { instanceOf: AppError, name: 'SERVICE_UNAVAILABLE' })
    t.is(error.retryAfterSeconds, 1)
    t.deepEqual([runs, proxy.cuts()], [1, 1])
    if (when === 'after-server') await until(async () => (await names()).includes('row'))
    t.is((await names()).length, when === 'before-server' ? 0 : 1)
    t.deepEqual(reported, ['lost'])
    await db.run(insert, ['next', null, 0, 0])
    t.true((await names()).includes('next'))
    t.deepEqual(reported, ['lost', 'connected'])
  })
}

onServer('a transaction whose connection breaks before its commit is run again as a whole', async (t) => {
  const { db, proxy, names } = await setUp(t)
  let runs = 0
  proxy.cutAt(/marker-row/, 'after-server')
  await db.transaction(async (tx) => {
    runs++
    await tx.run(insert, ['first', null, 0, 0])
    await tx.run(insert, ['marker-row', null, 0, 0])
  })
  t.is(runs, 2)
  t.deepEqual((await names()).sort(), ['first', 'marker-row'])
})

onServer('steps whose connection breaks in between are run again as a whole', async (t) => {
  const { db, proxy, names } = await setUp(t)
  let runs = 0
  proxy.cutAt(/marker-row/, 'after-server')
  const changed = await db.transaction((tx) => {
    runs++
    return tx.pipeline(['first', 'marker-row', 'last'].map((name) => () => tx.run(insert, [name, null, 0, 0])))
  })
  t.deepEqual([runs, changed], [2, [1, 1, 1]])
  t.deepEqual((await names()).sort(), ['first', 'last', 'marker-row'])
})

onServer('a read whose connection breaks is read again', async (t) => {
  const { db, proxy } = await setUp(t)
  await db.run(insert, ['marker-row', null, 0, 0])
  proxy.cutAt(/marker-row/, 'before-server')
  t.is((await db.all('select name from leases where name = ?', ['marker-row'])).length, 1)
  t.is(proxy.cuts(), 1)
})

onServer(
  'a single statement whose connection broke may have been executed, and is not reported as success',
  async (t) => {
    const { db, proxy, names } = await setUp(t)
    proxy.cutAt(/marker-row/, 'after-server')
    await t.throwsAsync(db.run(insert, ['marker-row', null, 0, 0]), { name: 'SERVICE_UNAVAILABLE' })
    atMost(t, (await names()).length, 1, 'rows')
  },
)
