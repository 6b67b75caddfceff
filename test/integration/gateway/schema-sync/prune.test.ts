import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { listsOf } from '../../../support/databases/contents/lists.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...syncSchemaRoutes, ...listRoutes, ...itemRoutes] })
})

const request = (method: string, path: string, headers: Credentials, body?: unknown) =>
  call(gateway.port, { method, path, headers, ...(body !== undefined && { body }) })
const post = (headers: Credentials, body: unknown, query = '') => request('POST', `/sync-schema${query}`, headers, body)
const pathNames = async (account: { accountId: string }) =>
  (await listsOf(gateway.deps.db, account)).map(({ path_name }) => path_name)

const both = { scope: 'app', lists: { a: { indexes: { i: { pointer: '/i' } } }, b: {} } }
const one = { scope: 'app', lists: { a: {} } }

test('a list with items is pruned only with allowDestructive, with its items', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, both)
  await request('POST', '/lists/b/items', account.user, { data: {} })
  const deletion = { items: 1, indexes: 0, destructive: true }
  for (const query of ['?prune=true', '?prune=true&dryRun=true']) {
    const { status, json } = await post(account.user, one, query)
    t.is(status, 422)
    t.like(json, { name: 'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED', code: 21_004, applied: false, prune: true })
    t.like(Object(json?.changes)[1], { action: 'delete', list: 'b', delete: deletion })
  }
  t.deepEqual(await pathNames(account), ['a', 'b'])
  const { status, json } = await post(account.user, one, '?prune=true&allowDestructive=true')
  t.is(status, 200)
  t.like(json, { applied: true, prune: true, summary: { delete: 1, destructive: 1, noChange: 1 } })
  t.deepEqual(await pathNames(account), ['a'])
  t.is((await request('GET', '/lists/b', account.user)).status, 404)
  t.like((await post(account.user, one, '?prune=true')).json, { summary: { noChange: 1, delete: 0 } })
})

test('a token that may not delete gets an error that names the missing permission, and nothing is deleted', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, both)
  const token = await account.token([
    { mode: 'allow', action: 'sync-schema' },
    { mode: 'allow', action: 'update' },
  ])
  const { status, json } = await post(token, { scope: 'app', lists: { a: { indexes: {} } } }, '?prune=true')
  t.is(status, 403)
  t.deepEqual(Object(json?.details).missing, [
    { action: 'delete', resourceType: 'index', list: 'a', index: 'i' },
    { action: 'delete', resourceType: 'list', list: 'b' },
  ])
  t.deepEqual(await pathNames(account), ['a', 'b'])
})

test('an apply with the hash of a plan deletes no more items than the plan showed', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  await post(account.user, both)
  const { planHash } = (await post(account.user, one, '?prune=true&dryRun=true')).json ?? {}
  await request('POST', '/lists/b/items', account.user, { data: {} })
  const rejected = await post(account.user, one, `?prune=true&allowDestructive=true&planHash=${planHash}`)
  t.is(rejected.json?.name, 'SCHEMA_SYNC_PLAN_CHANGED')
  const anew = (await post(account.user, one, '?prune=true&allowDestructive=true&dryRun=true')).json ?? {}
  await request('POST', '/lists/b/items', account.user, { data: {} })
  const again = await post(account.user, one, `?prune=true&allowDestructive=true&planHash=${anew.planHash}`)
  t.is(again.json?.name, 'SCHEMA_SYNC_PLAN_CHANGED')
  t.deepEqual(await pathNames(account), ['a', 'b'])
})

test('another account of the same scope keeps its lists', async (t) => {
  const [mine, theirs] = [await makeAccount(gateway.deps.db), await makeAccount(gateway.deps.db)]
  for (const { user } of [mine, theirs]) await post(user, both)
  await post(mine.user, { scope: 'app', lists: {} }, '?prune=true')
  t.deepEqual(await pathNames(mine), [])
  t.deepEqual(await pathNames(theirs), ['a', 'b'])
})
