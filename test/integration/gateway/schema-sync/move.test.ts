import test, { type ExecutionContext } from 'ava'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { listsOf, modifyList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes: syncSchemaRoutes })
})

async function world() {
  const account = await makeAccount(gateway.deps.db)
  const post = (path: string, body: unknown, headers: Credentials = account.user) =>
    call(gateway.port, { method: 'POST', path, headers, body })
  await post('/sync-schema', { scope: 'app', lists: { a: { indexes: { i: { pointer: '/i' } } }, b: {} } })
  await post('/sync-schema', { lists: { free: {} } })
  const move = (body: unknown, { query = '', headers = account.user } = {}) =>
    post(`/sync-schema/move${query}`, body, headers)
  const scopes = async () => {
    const rows = await listsOf(gateway.deps.db, account)
    return Object.fromEntries(rows.map(({ path_name, scope }) => [path_name, scope]))
  }
  return { account, post, move, scopes }
}

async function scopeOfIndex(): Promise<unknown> {
  return (await gateway.deps.db.all('select scope from indexes order by created_at desc limit 1'))[0]?.scope
}

test.serial('lists are moved, assigned and released by id or path name, all or nothing', async (t) => {
  const { account, move, scopes } = await world()
  const [a] = await listsOf(gateway.deps.db, account)
  const { status, json } = await move({ lists: [String(a?.id), 'FREE'], scope: 'shop' })
  t.is(status, 200)
  t.regex(String(json?.moveId), /^[0-9a-f-]{36}$/)
  t.like(json, { dryRun: false, applied: true, scope: 'shop', warnings: [], blockedBy: null })
  t.deepEqual(json?.summary, { move: 2, assign: 1, release: 0, noChange: 0, error: 0 })
  t.deepEqual(await scopes(), { a: 'shop', b: 'app', free: 'shop' })
  t.is(await scopeOfIndex(), 'shop')
  const released = await move({ fromScope: 'shop', scope: null })
  t.deepEqual(Object(released.json?.summary), { move: 0, assign: 0, release: 3, noChange: 0, error: 0 })
  t.deepEqual(await scopes(), { a: null, b: 'app', free: null })
})

test('a dry run returns the result and changes nothing', async (t) => {
  const { move, scopes } = await world()
  const before = await scopes()
  const { status, json } = await move({ fromScope: 'app', scope: 'shop' }, { query: '?dryRun=true' })
  t.is(status, 200)
  t.like(json, { dryRun: true, applied: false, summary: { move: 3 } })
  t.deepEqual(await scopes(), before)
})

test('a list that cannot be moved blocks the whole move', async (t) => {
  const { move, scopes } = await world()
  const before = await scopes()
  for (const query of ['', '?dryRun=true']) {
    const { status, json } = await move({ lists: ['a', 'gone'], scope: 'shop' }, { query })
    t.is(status, 422)
    t.like(json, { name: 'SCHEMA_SYNC_MOVE_HAS_ERRORS', code: 21_005, applied: false, summary: { move: 2, error: 1 } })
    t.is(Object(json?.blockedBy).name, 'SCHEMA_SYNC_MOVE_HAS_ERRORS')
  }
  t.deepEqual(await scopes(), before)
})

test('a scope that manages nothing gets a warning', async (t) => {
  const { move } = await world()
  const { status, json } = await move({ fromScope: 'App', scope: 'shop' })
  t.is(status, 200)
  t.deepEqual(json?.warnings, ['The scope App manages no list.'])
})

test('the list is then synced only by its new scope', async (t) => {
  const { post, move } = await world()
  await move({ lists: ['a'], scope: 'shop' })
  t.is((await post('/sync-schema', { scope: 'app', lists: { a: {} } })).json?.name, 'SCHEMA_SYNC_SCOPE_CONFLICT')
  const synced = await post('/sync-schema', { scope: 'shop', lists: { a: { indexes: { i: {} } } } })
  t.like(synced.json, { summary: { noChange: 2 } })
})

test('a token needs to update the lists that it moves, and gets the error before anything is written', async (t) => {
  const { account, move, scopes } = await world()
  const before = await scopes()
  const headers = await account.token([{ mode: 'allow', action: 'sync-schema' }])
  const { status, json } = await move({ lists: ['a'], scope: 'shop' }, { headers })
  t.is(status, 403)
  t.deepEqual(Object(json?.details).missing, [
    { action: 'update', resourceType: 'list', list: 'a' },
    { action: 'update', resourceType: 'index', list: 'a', index: 'i' },
  ])
  t.is((await move({ lists: ['a'], scope: 'shop' }, { headers, query: '?dryRun=true' })).status, 200)
  t.deepEqual(await scopes(), before)
})

test('a list that is not activated is hidden from tokens', async (t) => {
  const { account, move, scopes } = await world()
  await modifyList(gateway.deps.db, String((await listsOf(gateway.deps.db, account))[0]?.id), { activated: false })
  const headers = await account.token()
  t.is((await move({ lists: ['a'], scope: 'shop' }, { headers })).status, 422)
  t.is((await move({ fromScope: 'app', scope: 'shop' }, { headers })).status, 200)
  t.deepEqual(await scopes(), { a: 'app', b: 'shop', free: null })
})

const malformed: [title: string, body: unknown, paths: string[]][] = [
  ['no scope', { lists: ['a'] }, ['scope']],
  ['neither lists nor fromScope', { scope: 'x' }, ['']],
  ['both', { scope: 'x', lists: ['a'], fromScope: 'y' }, ['']],
  ['no list', { scope: 'x', lists: [] }, ['lists']],
  ['scopes of another form', { scope: 'a b', fromScope: '' }, ['fromScope', 'scope']],
]
for (const [title, body, paths] of malformed) {
  test(`a move is 400: ${title}`, async (t: ExecutionContext) => {
    const { move } = await world()
    const reply = await move(body)
    t.is(reply.status, 400)
    t.deepEqual(errorPaths(reply), paths)
  })
}
