import test from 'ava'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { listsOf } from '../../support/databases/lists.ts'
import { type Credentials, makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../support/http/gateway.ts'
import { afterAll } from '../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...syncSchemaRoutes, ...listRoutes] })
})

const title = { pointer: '/title' }

const post = (headers: Credentials, body: unknown) =>
  call(gateway.port, { method: 'POST', path: '/sync-schema', headers, body })

test('syncs that race to create the same lists end as if one ran after the other', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const document = { scope: 'app', lists: { a: { indexes: { i: title } }, b: {} } }
  const replies = await Promise.all(Array.from({ length: 10 }, () => post(account.user, document)))
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  const created = replies.filter(({ json }) => Object(json?.summary).create === 3)
  t.is(created.length, 1)
  t.is((await listsOf(gateway.deps.db, account)).length, 2)
})

test('syncs that race to change the same lists leave all lists as one of them wanted, none mixed', async (t) => {
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

test('of two scopes that race for a list one wins and the other is refused', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, { lists: { a: {} } })
  const scopes = ['x', 'y', 'z']
  const replies = await Promise.all(scopes.map((scope) => post(account.user, { scope, lists: { a: {}, [scope]: {} } })))
  t.deepEqual(replies.map(({ status }) => status).sort(), [200, 422, 422])
  const [a, other, ...none] = await listsOf(gateway.deps.db, account)
  t.is(a?.scope, other?.path_name)
  t.deepEqual(none, [])
})

test('a list that is deleted under a sync is made anew by it, or gone when it was first', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const document = { lists: { a: { indexes: { i: title } }, b: { name: 'kept' } } }
  for (let round = 0; round < 8; round++) {
    await post(account.user, document)
    const deletion = { method: 'DELETE', path: '/lists/a', headers: account.user }
    const [synced, deleted] = await Promise.all([post(account.user, document), call(gateway.port, deletion)])
    t.deepEqual([synced.status, deleted.status], [200, 204], synced.text)
    const made = Object(synced.json?.summary).create === 2
    t.deepEqual((await listsOf(gateway.deps.db, account)).map(({ path_name }) => path_name), made ? ['a', 'b'] : ['b']) // biome-ignore format: one line
  }
})
