import test from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { listsOf } from '../../../support/databases/contents/lists.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { sharedSettings, startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...syncSchemaRoutes, ...listRoutes, ...indexRoutes, ...itemRoutes] })
})

const title = { pointer: '/title' }

const post = (headers: Credentials, body: unknown, query = '') =>
  call(gateway.port, { method: 'POST', path: `/sync-schema${query}`, headers, body })

test('concurrent syncs that create the same lists end as if one ran after the other', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const document = { scope: 'app', lists: { a: { indexes: { i: title } }, b: {} } }
  const replies = await Promise.all(Array.from({ length: 10 }, () => post(account.user, document)))
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  const created = replies.filter(({ json }) => Object(json?.summary).create === 3)
  t.is(created.length, 1)
  t.is((await listsOf(gateway.deps.db, account)).length, 2)
})

test('a dry run waits for its turn like a sync: the plans of one account are not in memory at once', async (t) => {
  const [account, other] = [await makeAccount(gateway.deps.db), await makeAccount(gateway.deps.db)]
  const held = await gateway.deps.exclusive([`${account.accountId}/sync`])
  const answered: string[] = []
  const asked = ['', '?dryRun=true'].map(async (query) => {
    const { status } = await post(account.user, { lists: { a: {} } }, query)
    answered.push(`${status}${query}`)
  })
  for (let n = 0; n < 3; n++) t.is((await post(other.user, { lists: { a: {} } }, '?dryRun=true')).status, 200)
  t.deepEqual(answered, [])
  held[Symbol.dispose]()
  await Promise.all(asked)
  t.deepEqual(answered.sort(), ['200', '200?dryRun=true'])
})

test('concurrent syncs that change the same lists leave all lists as one of them defined, none mixed', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const entries = (name: string) => ({ lists: { a: { name }, b: { name }, c: { indexes: { i: { ...title, name } } } } })
  await post(account.user, entries('first'))
  const names = Array.from({ length: 8 }, (_, n) => `name ${n}`)
  const replies = await Promise.all(names.map((name) => post(account.user, entries(name))))
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  const [a, b, c] = await listsOf(gateway.deps.db, account)
  const index = await gateway.deps.db.get<{ name: string }>('select name from indexes where list_id = ?', [c?.id])
  t.is(a?.name, b?.name)
  t.is(a?.name, index?.name)
  t.is(a?.config_version, 9)
})

test('of two scopes that race for a list one wins and the other is rejected', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, { lists: { a: {} } })
  const scopes = ['x', 'y', 'z']
  const replies = await Promise.all(scopes.map((scope) => post(account.user, { scope, lists: { a: {}, [scope]: {} } })))
  t.deepEqual(replies.map(({ status }) => status).sort(), [200, 422, 422])
  const [a, other, ...none] = await listsOf(gateway.deps.db, account)
  t.is(a?.scope, other?.path_name)
  t.deepEqual(none, [])
})

test('a list that is deleted during a sync is created again by it, or missing if the deletion was second', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const document = { lists: { a: { indexes: { i: title } }, b: { name: 'kept' } } }
  for (let round = 0; round < 8; round++) {
    await post(account.user, document)
    const deletion = { method: 'DELETE', path: '/lists/a', headers: account.user }
    const [synced, deleted] = await Promise.all([post(account.user, document), call(gateway.port, deletion)])
    t.deepEqual([synced.status, deleted.status], [200, 204], synced.text)
    const added = Object(synced.json?.summary).create === 2
    t.deepEqual((await listsOf(gateway.deps.db, account)).map(({ path_name }) => path_name), added ? ['a', 'b'] : ['b']) // biome-ignore format: one line
  }
})

test('a list that a sync prunes as empty is deleted, or has its first item and the sync is rejected', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  for (let round = 0; round < 8; round++) {
    await post(account.user, { scope: 'app', lists: { a: {}, b: {} } })
    const create = { method: 'POST', path: '/lists/b/items', headers: account.user, body: { data: {} } }
    const [pruned, created] = await Promise.all([
      post(account.user, { scope: 'app', lists: { a: {} } }, '?prune=true'),
      call(gateway.port, create),
    ])
    const names = (await listsOf(gateway.deps.db, account)).map(({ path_name }) => path_name)
    if (created.status === 201) {
      t.deepEqual([pruned.json?.name, names], ['SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED', ['a', 'b']])
      await post(account.user, { scope: 'app', lists: { a: {} } }, '?prune=true&allowDestructive=true')
    } else {
      t.deepEqual([pruned.status, created.status, names], [200, 404, ['a']])
    }
  }
})

test('an index created by hand during a sync that declares it is rejected, or changed by the sync', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  for (let round = 0; round < 8; round++) {
    const list = `list-${round}`
    await post(account.user, { lists: { [list]: {} } })
    const body = { pathName: 'i', pointer: '/other' }
    const [synced, added] = await Promise.all([
      post(account.user, { lists: { [list]: { indexes: { i: title } } } }),
      call(gateway.port, { method: 'POST', path: `/lists/${list}/indexes`, headers: account.user, body }),
    ])
    const { create, update } = Object(synced.json?.summary)
    t.deepEqual([synced.status, create + update], [200, 1])
    t.is(added.status === 201 ? 'changed' : added.json?.name, update === 1 ? 'changed' : 'INDEX_PATH_NAME_TAKEN')
    const { json } = await call(gateway.port, { path: `/lists/${list}/indexes`, headers: account.user })
    t.like(json, { total: 1, data: [{ pathName: 'i', pointer: '/title' }] })
  }
})

test('a concurrent move and sync end as if one came first', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  for (let round = 0; round < 8; round++) {
    const list = `moved-${round}`
    await post(account.user, { scope: 'app', lists: { [list]: {} } })
    const move = {
      method: 'POST',
      path: '/sync-schema/move',
      headers: account.user,
      body: { lists: [list], scope: 'b' },
    }
    const [synced, moved] = await Promise.all([
      post(account.user, { scope: 'app', lists: { [list]: { name: 'synced' } } }),
      call(gateway.port, move),
    ])
    t.is(moved.status, 200)
    const row = (await listsOf(gateway.deps.db, account)).find(({ path_name }) => path_name === list)
    t.is(row?.scope, 'b')
    t.deepEqual([synced.status, row?.name], synced.status === 200 ? [200, 'synced'] : [422, list])
  }
})

test('syncs of one account at two gateways all get a response, and leave all lists as one of them defined', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const other = await startGateway(t, { routes: syncSchemaRoutes, env: sharedSettings(gateway.deps.config) })
  const document = (name: string) => ({
    scope: 'app',
    lists: Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`l${n}`, { name, indexes: { i: { ...title, name } } }]),
    ),
  })
  const statuses = new Set<number>()
  const syncers = [gateway, gateway, other, other].map(async ({ port }, syncer) => {
    for (let round = 0; round < 5; round++) {
      const body = document(`${syncer} in round ${round}`)
      const { status } = await call(port, { method: 'POST', path: '/sync-schema', headers: account.user, body })
      statuses.add(status)
    }
  })
  await Promise.all(syncers)
  t.deepEqual([...statuses], [200])
  const names = await gateway.deps.db.all<{ name: string }>(
    `select lists.name from lists where account_id = ? union select indexes.name from indexes where account_id = ?`,
    [account.accountId, account.accountId],
  )
  t.is(names.length, 1)
})
