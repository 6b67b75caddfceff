import test from 'ava'
import { startIndexBuilds } from '#services/gateway/jobs/index-builds.ts'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { takeLease } from '#shared/data/leases/leases.ts'
import { createLogger } from '#shared/log/logger.ts'
import { until } from '../../../support/assertions/until.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { saidToServer, testBus } from '../../../support/nats/bus.ts'
import { testNats } from '../../../support/nats/nats.ts'

const log = createLogger({ service: 'test', level: 'silent' })

test('a request that begins a build announces it to all gateways, and others do not', async (t) => {
  const { url } = await testNats(t)
  const { port, deps } = await startGateway(t, { routes: [...indexRoutes, ...syncSchemaRoutes], natsUrl: url })
  const bus = await testBus(t, url)
  let announced = 0
  bus.listen('gateway.build', () => announced++)
  await saidToServer(bus)
  await until(async () => deps.bus.connected())
  const account = await makeAccount(deps.db)
  const listId = await addList(deps.db, account.accountId)
  const request = (method: string, path: string, body: unknown) =>
    call(port, { method, path, headers: account.user, body })
  const sync = (indexes: Record<string, unknown>) =>
    request('POST', '/sync-schema', { lists: { recipes: { indexes } } })

  t.is((await request('POST', '/lists/recipes/indexes', { pathName: 'empty', pointer: '/e' })).status, 201)
  t.is((await sync({ other: { pointer: '/o' } })).status, 200)
  await storeItems(deps.db, { accountId: account.accountId, listId }, [{ slug: 'a' }])
  t.is((await sync({ slug: { pointer: '/slug' } })).status, 200)
  await until(async () => announced === 1 || announced)
  t.is((await request('PUT', '/lists/recipes/indexes/empty', { pointer: '/slug' })).status, 200)
  await until(async () => announced === 2 || announced)
})

test('a builder that is woken builds; if another holds the lease, it leaves the build to the holder', async (t) => {
  const { port, deps } = await startGateway(t, { routes: indexRoutes })
  const { db } = deps
  const account = await makeAccount(db)
  const listId = await addList(db, account.accountId)
  await storeItems(db, { accountId: account.accountId, listId }, [{ slug: 'a' }])
  const path = '/lists/recipes/indexes'
  const headers = account.user
  const create = (pathName: string) =>
    call(port, { method: 'POST', path, headers, body: { pathName, pointer: '/slug' } })
  const isReady = async (name: string) =>
    (await call(port, { path: `${path}/${name}`, headers })).json?.buildStatus === 'ready'

  let wake = () => {}
  const onWake = (start: () => void) => {
    wake = start
  }
  const stop = startIndexBuilds({ db, announce() {}, hint() {}, log, owner: 'a', newId, now: Date.now, onWake })
  t.teardown(stop)
  await create('one')
  wake()
  await until(() => isReady('one'))
  await until(async () => (await takeLease(db, { name: 'index-build', owner: 'b', ms: 3_600_000 })) !== null)
  await create('two')
  wake()
  await stop()
  t.false(await isReady('two'))
})
