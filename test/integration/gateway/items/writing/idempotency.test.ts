import test from 'ava'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { addList, modifyList } from '../../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials
/** Milliseconds that are added to the gateway's clock. */
let ahead = 0

const items = '/lists/recipes/items'
const dayMs = 86_400_000

test.before(async () => {
  const routes = [...itemRoutes, ...itemBatchRoutes, ...itemDataRoutes]
  gateway = await startGateway(cleanup, { routes, adapt: (deps) => ({ ...deps, now: () => Date.now() + ahead }) })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  const indexes = [{ pathName: 'secret', pointer: '/secret', guard: true }]
  await addList(gateway.deps.db, account.accountId, { indexes })
})

type Keyed = Partial<Call> & { headers?: Credentials }

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })
const create = (key: string, body: unknown, { headers = token, ...rest }: Keyed = {}) =>
  ask({ method: 'POST', path: items, body, headers: { ...headers, 'idempotency-key': key }, ...rest })
const batch = (key: string, operations: unknown, rest: Keyed = {}) =>
  create(key, { operations }, { path: `${items}/batch`, ...rest })

async function count(): Promise<number> {
  const row = await gateway.deps.db.get<{ n: number }>('select count(*) as n from events')
  return Number(row?.n)
}

/** The parts of an answer that are the same when it is repeated; its request id is not. */
const same = ({ status, text, headers: { etag } }: Reply) => ({ status, text, etag })

test.serial(
  'the same create with the same key gets the same response again, whatever happened to the item',
  async (t) => {
    const body = { data: { n: 12345678901234567890n.toString(), a: [1] }, tags: ['x'], description: 'd' }
    const first = await create('create', body)
    t.is(first.status, 201)
    const before = await count()
    t.deepEqual(same(await create('create', body)), same(first))
    const { tags, ...rest } = body
    t.deepEqual(same(await create('create', { tags, ...rest })), same(first))
    t.is(await count(), before)
    const item = `${items}/${first.json?.id}`
    await ask({ method: 'PUT', path: item, body: { data: 2 } })
    t.deepEqual(same(await create('create', body)), same(first))
    await ask({ method: 'DELETE', path: item })
    t.deepEqual(same(await create('create', body)), same(first))
    t.false('data' in Object((await create('create', body, { path: `${items}?includeData=false` })).json))
  },
)

test.serial('another body, path or kind of request with the same key is 409', async (t) => {
  const { accountId } = account
  await addList(gateway.deps.db, accountId, { pathName: 'other' })
  await create('other', { data: 1, tags: ['a'] })
  const before = await count()
  const others = [
    create('other', { data: 2, tags: ['a'] }),
    create('other', '{"data":1.0,"tags":["a"]}', { headers: { ...token, 'content-type': 'application/json' } }),
    create('other', { data: 1, tags: ['b'] }),
    create('other', { data: 1, tags: ['a'] }, { path: '/lists/other/items' }),
    batch('other', [{ op: 'create', data: 1, tags: ['a'] }]),
  ]
  for (const reply of await Promise.all(others)) {
    t.like(reply, { status: 409, json: { name: 'IDEMPOTENCY_KEY_REUSED', code: 10014 } })
  }
  t.is(await count(), before)
})

test.serial('a batch responds again with every result, deletions too', async (t) => {
  const [one, two] = [await create('b-1', { data: 1 }), await create('b-2', { data: 2 })]
  const operations = [
    { op: 'create', data: 'new' },
    { op: 'update', item: one.json?.id, data: 'changed' },
    { op: 'delete', item: two.json?.id },
  ]
  const first = await batch('batch', operations)
  t.is(first.status, 200)
  const before = await count()
  t.deepEqual(same(await batch('batch', operations)), same(first))
  t.is((await batch('batch', operations.slice(1))).status, 409)
  t.is(await count(), before)
})

test.serial('a response says whether it is repeated, and that of a batch names its list', async (t) => {
  const reported = ({ headers }: Reply) => [headers['idempotency-replayed'], typeof headers['x-list']]
  const [first, again] = [await create('repeated', { data: 1 }), await create('repeated', { data: 1 })]
  t.deepEqual(
    [reported(first), reported(again)],
    [
      [undefined, 'undefined'],
      ['true', 'undefined'],
    ],
  )
  const operations = [{ op: 'create', data: 1 }]
  t.deepEqual(reported(await batch('repeated-b', operations)), [undefined, 'string'])
  t.deepEqual(reported(await batch('repeated-b', operations)), ['true', 'string'])
  t.deepEqual(reported(await batch('repeated-b', operations, { path: `${items}/batch?dryRun=true` })), [
    undefined,
    'string',
  ])
})

test.serial('keys belong to the token, the user or the identity that sends them', async (t) => {
  const { db } = gateway.deps
  const { accountId } = account
  const [ada, bob] = [await makeIdentity(db, { accountId }), await makeIdentity(db, { accountId })]
  const senders = [
    token,
    await account.token(),
    account.user,
    ...[ada, bob].map(({ headers }) => ({ ...token, ...headers })),
  ]
  const created = await Promise.all(senders.map((headers) => create('mine', { data: 1 }, { headers })))
  t.is(new Set(created.map(({ json }) => json?.id)).size, senders.length)
})

test.serial('a failed request stores no key, and neither does a dry run', async (t) => {
  t.is((await create('failed', { version: 'x' })).status, 400)
  t.is((await batch('failed', [{ op: 'create' }, { op: 'delete', item: 'nothing' }])).status, 404)
  t.is((await create('failed', { data: 1 }, { path: `${items}?dryRun=true` })).status, 201)
  t.is((await create('failed', { data: 2 })).status, 201)
})

test.serial('a key is 1 to 255 printable ASCII characters', async (t) => {
  t.is((await create('~'.repeat(255), {})).status, 201)
  for (const key of ['', 'x'.repeat(256), 'caf\u00e9', 'a\tb']) {
    for (const reply of [await create(key, {}), await batch(key, [{ op: 'create' }])]) {
      t.is(reply.status, 400)
      t.deepEqual(errorPaths(reply), ['idempotency-key'])
    }
  }
})

test.serial('after a day the key can be used again', async (t) => {
  const first = await create('day', { data: 1 })
  ahead = dayMs - 60_000
  t.is((await create('day', { data: 1 })).json?.id, first.json?.id)
  ahead = dayMs + 60_000
  const later = await create('day', { data: 2 })
  t.is(later.status, 201)
  t.is((await create('day', { data: 2 })).json?.id, later.json?.id)
  ahead = 0
})

test.serial('a key is deleted with its list', async (t) => {
  const { db } = gateway.deps
  const path = '/lists/short/items'
  const listId = await addList(db, account.accountId, { pathName: 'short' })
  const first = await create('short', { data: 1 }, { path })
  await db.run('delete from lists where id = ?', [listId])
  t.is((await create('short', { data: 1 }, { path })).status, 404)
  await addList(db, account.accountId, { pathName: 'short' })
  const second = await create('short', { data: 1 }, { path })
  t.is(second.status, 201)
  t.not(second.json?.id, first.json?.id)
})

test.serial('a repeated response follows the current guards and permissions', async (t) => {
  const limited = await account.token([{ mode: 'allow', action: 'create', resourceType: 'item' }])
  const body = { data: { secret: 1, open: 2, late: 3 } }
  const created = await create('rights', body, { headers: limited })
  t.deepEqual(created.json?.data, { open: 2, late: 3 })
  const { db } = gateway.deps
  const list = await db.get<{ id: string }>("select id from lists where path_key = 'recipes'")
  await db.run("update indexes set pointer = '/late' where list_id = ?", [list?.id])
  await modifyList(db, list?.id ?? '', { description: 'changed' })
  t.deepEqual((await create('rights', body, { headers: limited })).json?.data, { secret: 1, open: 2 })
  const hash = tokenHash(limited['x-api-token'] ?? '')
  await db.run("update tokens set permissions = '[]' where token_hash = ?", [hash])
  gateway.deps.auth.invalidate(hash)
  t.is((await create('rights', body, { headers: limited })).status, 403)
})

test.serial('another gateway and one that is started later give the same responses', async (t) => {
  const first = await create('elsewhere', { data: 1 })
  const other = await startGateway(t, { routes: itemRoutes, env: sharedSettings(gateway.deps.config) })
  const headers = { ...token, 'idempotency-key': 'elsewhere' }
  const again = await call(other.port, { method: 'POST', path: items, headers, body: { data: 1 } })
  t.deepEqual(same(again), same(first))
})
