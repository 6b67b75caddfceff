import test from 'ava'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { listsOf, modifyList } from '../../../support/databases/contents/lists.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { manyBytes } from '../../../support/sync/sync.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes: syncSchemaRoutes })
})

/** Lists of two scopes and one without a scope; `b` has an index that was created by hand. */
async function world() {
  const account = await makeAccount(gateway.deps.db)
  const post = (body: unknown, query = '') =>
    call(gateway.port, { method: 'POST', path: `/sync-schema${query}`, headers: account.user, body })
  const schema = { type: 'object', properties: { 2: {}, 1: {} } }
  await post({ lists: { b: { indexes: { hand: { pointer: '/hand' } } }, Free: { tags: ['red', 'blue'] } } })
  await post({
    scope: 'app',
    lists: { a: { tags: ['red'], schema, readonly: true }, b: { indexes: { i: { pointer: '/i' } } } },
  })
  await post({ scope: 'other', lists: { c: {} } })
  const read = async (query = '', headers: Credentials = account.user) => {
    const { status, json } = await call(gateway.port, { path: `/sync-schema${query}`, headers })
    const { document, warnings, message } = Object(json)
    return { status, message, document, warnings, names: document && Object.keys(document.lists) }
  }
  return { account, post, read }
}

test('syncing the export of a scope is all no-change, with prune too', async (t) => {
  const { post, read } = await world()
  for (const query of ['?scope=app', '?scope=other', '?scope=']) {
    const { status, document } = await read(query)
    t.is(status, 200)
    for (const pruning of ['', ...(query === '?scope=' ? [] : ['?prune=true'])]) {
      const { json } = await post(document, pruning)
      const { noChange, ...rest } = Object(json?.summary)
      t.true(noChange > 0)
      t.deepEqual([...new Set(Object.values(rest))], [0])
    }
  }
})

test('a scope selects its lists, and the indexes that it does not manage are left out with a warning', async (t) => {
  const { read } = await world()
  const { document, warnings, names } = await read('?scope=app')
  t.is(document.scope, 'app')
  t.deepEqual(names, ['a', 'b'])
  t.deepEqual(document.lists.a.tags, ['red'])
  t.deepEqual(Object.keys(document.lists.b.indexes), ['i'])
  t.deepEqual(warnings, ['Left out: indexes that the scope of the list b does not manage: hand.'])
  t.deepEqual((await read('?scope=App')).names, [], 'scopes compare exactly')
})

test('without a scope the document has the scope that all lists share, or none', async (t) => {
  const { read } = await world()
  const mixed = await read()
  t.deepEqual([mixed.document.scope, mixed.names], [undefined, ['Free']])
  t.deepEqual(mixed.warnings.toSorted(), [
    'Left out: 1 list that the scope other manages; export with scope=other.',
    'Left out: 2 lists that the scope app manages; export with scope=app.',
  ])
  const named = await read('?lists=a,B')
  t.deepEqual([named.document.scope, named.names], ['app', ['a', 'b']])
})

test('lists are named by path name or id, and a missing one is reported', async (t) => {
  const { account, read } = await world()
  const [a] = await listsOf(gateway.deps.db, account)
  const { names, warnings } = await read(`?lists=${a?.id},gone`)
  t.deepEqual(names, ['a'])
  t.is(warnings[0], 'There is no list gone.')
  t.deepEqual((await read('?scope=app&lists=a&lists=b,gone')).names, ['a', 'b'], 'an array is the parameter repeated')
})

test('tags select lists: a comma is OR, repeating is AND', async (t) => {
  const { read } = await world()
  t.deepEqual((await read('?scope=&tagged=red')).names, ['Free'])
  t.deepEqual((await read('?scope=app&tagged=red,blue')).names, ['a'])
  t.deepEqual((await read('?scope=&tagged=red&tagged=green')).names, [])
})

test('lists and indexes that an export of some lists of a scope leaves out are reported, because prune would delete them', async (t) => {
  const { read } = await world()
  const leftOut = 'Left out because of tagged or lists: 1 list that the scope app manages;'
  for (const query of ['?lists=a', '?tagged=red&scope=app']) {
    t.deepEqual((await read(query)).warnings, [
      `${leftOut} a sync of this document with prune would delete what is left out.`,
    ])
  }
  t.deepEqual((await read('?lists=c')).warnings, [], 'all that its scope manages')
  t.deepEqual((await read('?scope=&tagged=red')).warnings, [], 'no scope prunes it')
})

test('too many lists for one document are not exported in part: a sync of the part would delete the rest', async (t) => {
  const { post, read } = await world()
  for (const lists of manyBytes) t.is((await post({ scope: 'long', lists })).status, 200)
  const { status, message, document } = await read('?scope=long')
  t.deepEqual([status, document], [413, undefined])
  t.regex(message, /\(2,000 lists and 8,388,608 bytes\); export fewer with scope, lists or tagged\.$/)
  const [half = {}] = manyBytes
  const part = await read(`?lists=${Object.keys(half)}`)
  t.deepEqual([part.status, part.names.length], [200, Object.keys(half).length])
})

test('a token exports the lists that it may sync, and none that is not activated', async (t) => {
  const { account, read } = await world()
  const [a, b] = await listsOf(gateway.deps.db, account)
  const listIds = [String(a?.id), String(b?.id)]
  const headers = await account.token([{ mode: 'allow', action: 'sync-schema', listIds }])
  t.deepEqual((await read('', headers)).names, ['a', 'b'])
  await modifyList(gateway.deps.db, String(a?.id), { activated: false })
  t.deepEqual((await read('', headers)).names, ['b'])
  t.deepEqual((await read('?lists=a', headers)).warnings, ['There is no list a.'])
  t.is((await read('', await account.token([{ mode: 'allow', action: 'view' }]))).status, 403)
})

test("another account's lists are not exported", async (t) => {
  await world()
  const stranger = await makeAccount(gateway.deps.db)
  const { json } = await call(gateway.port, { path: '/sync-schema?scope=app', headers: stranger.user })
  t.deepEqual(json, { document: { scope: 'app', lists: {} }, warnings: [] })
})
