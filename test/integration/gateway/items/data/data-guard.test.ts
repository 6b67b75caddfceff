import test, { type ExecutionContext } from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { errorPaths, errorsOf } from '../../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemDataRoutes] })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  await addList(gateway.deps.db, account.accountId, {
    indexes: [
      { pathName: 'secret', pointer: '/secret', guard: true },
      { pathName: 'pin', pointer: '/card/pin', guard: true },
      { pathName: 'no', pointer: '/list/1/no', guard: true },
    ],
    schema: { properties: { secret: { type: 'object', additionalProperties: { type: 'string' } } } },
  })
})

const ask = (headers: Record<string, string>, request: Call) => call(gateway.port, { ...request, headers })
const full = {
  title: 'x',
  secret: { a: 'canary' },
  card: { pin: 'canary', name: 'y' },
  list: [{ no: 1 }, { no: 'canary', n: 2 }],
}
const shown = { title: 'x', card: { name: 'y' }, list: [{ no: 1 }, { n: 2 }] }

async function create(data: unknown = full, headers = account.user): Promise<string> {
  const created = await ask(headers, { method: 'POST', path: '/lists/recipes/items', body: { data } })
  return `/lists/recipes/items/${created.json?.id}`
}

const patch = (item: string, operations: unknown, at = '') =>
  ask(token, { method: 'PATCH', path: `${item}/data${at}`, body: operations })

/** The item as a user sees it after a call by the token, which does not see guarded values. */
async function afterCall(t: ExecutionContext, item: string, request: Omit<Call, 'path'> & { at?: string }) {
  const { at = '', ...rest } = request
  const reply = await ask(token, { ...rest, path: `${item}/data${at}` })
  t.is(reply.status, 200, reply.text)
  t.false(reply.text.includes('canary'))
  return (await ask(account.user, { path: `${item}/data` })).json
}

test('a token reads data without guarded values, and finds nothing at or below their pointer', async (t) => {
  const item = await create()
  t.deepEqual((await ask(token, { path: `${item}/data` })).json, shown)
  t.deepEqual((await ask(token, { path: `${item}/data/card` })).json, shown.card)
  for (const pointer of ['/secret', '/secret/a', '/card/pin', '/list/1/no', '/secret/nothing']) {
    const read = await ask(token, { path: `${item}/data${pointer}?includeGuarded=true` })
    t.like(read, { status: 404, json: { name: 'POINTER_NOT_FOUND' } }, pointer)
    t.is((await ask(account.user, { path: `${item}/data${pointer}` })).status, pointer.endsWith('nothing') ? 404 : 200)
  }
})

test('pages of values have the same values removed', async (t) => {
  await create()
  for (const [path, expected] of [
    ['', shown],
    ['/secret', null],
    ['/card', shown.card],
  ]) {
    const page = await ask(token, { path: `/lists/recipes/items/data${path}?limit=1` })
    t.is(page.status, 200, page.text)
    t.false(page.text.includes('canary'))
    if (path === '/secret') t.deepEqual(page.json?.data, [expected])
  }
})

test.serial('the owning identity reads it with includeGuarded=true', async (t) => {
  const { headers } = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
  const owner = { ...(await account.token()), ...headers }
  const item = await create(full, owner)
  t.is((await ask(owner, { path: `${item}/data/secret/a` })).status, 404)
  t.is((await ask(owner, { path: `${item}/data/secret/a?includeGuarded=true` })).json as unknown, 'canary')
  const written = await ask(owner, { method: 'PUT', path: `${item}/data/card?includeGuarded=true`, body: {} })
  t.deepEqual(written.json?.data, { ...full, card: { pin: 'canary' } })
  const page = await ask(owner, { path: '/lists/recipes/items/data/secret/a?includeGuarded=true&limit=1' })
  t.deepEqual(page.json?.data, ['canary'])
  t.is((await ask(token, { path: `${item}/data/secret?includeGuarded=true` })).status, 404)
})

test('a replace that omits the guarded value keeps it if its parent object still exists', async (t) => {
  const replace = async (at: string, value: unknown) => {
    const item = await create()
    return afterCall(t, item, { method: 'PATCH', body: [{ op: 'replace', path: at, value }] })
  }
  t.deepEqual(await replace('/card', { name: 'z' }), { ...full, card: { name: 'z', pin: 'canary' } })
  t.deepEqual(await replace('/card', 5), { ...full, card: 5 })
  t.deepEqual(await replace('', { card: {} }), { secret: full.secret, card: { pin: 'canary' } })
  t.deepEqual(await replace('/list/1', {}), { ...full, list: [{ no: 1 }, { no: 'canary' }] })
  t.deepEqual(await replace('/card/pin', 'mine'), { ...full, card: { name: 'y', pin: 'mine' } })
})

test('PUT and POST of a part keep it too, and merge into the existing value', async (t) => {
  const write = async (method: string, at: string, body: unknown) => afterCall(t, await create(), { method, at, body })
  t.deepEqual(await write('PUT', '/card', {}), { ...full, card: { pin: 'canary' } })
  t.deepEqual(await write('PUT', '', { title: 'z' }), { title: 'z', secret: full.secret })
  t.deepEqual(await write('PUT', '/secret', {}), { ...full, secret: {} })
  t.deepEqual(await write('POST', '', { card: { n: 1 } }), { ...full, card: { ...full.card, n: 1 } })
  t.deepEqual(await write('POST', '', { secret: { b: 'c' } }), { ...full, secret: { b: 'c' } })
  t.deepEqual(await write('POST', '?merge=rfc7396', { secret: null }), full)
  t.deepEqual(await write('POST', '?merge=rfc7396', { secret: { a: null } }), { ...full, secret: {} })
  const { card: _card, ...rest } = full
  t.deepEqual(await write('DELETE', '/card', undefined), rest)
})

test('a token cannot address anything inside a guarded value, and cannot remove one', async (t) => {
  const item = await create()
  for (const [method, at] of [
    ['PUT', '/secret/b'],
    ['POST', '/secret/b'],
    ['DELETE', '/secret'],
    ['DELETE', '/secret/a'],
    ['DELETE', '/card/pin'],
  ] as const) {
    const rejected = await ask(token, { method, path: `${item}/data${at}`, ...(method !== 'DELETE' && { body: {} }) })
    t.is(rejected.json?.name, 'POINTER_NOT_FOUND', `${method} ${at}`)
  }
  t.is((await patch(item, [], '/secret')).json?.name, 'POINTER_NOT_FOUND')
  const moved = await ask(token, { method: 'DELETE', path: `${item}/data/list/0` })
  t.is(moved.status, 400)
  t.deepEqual(errorPaths(moved), ['pointer'])
  t.deepEqual((await ask(account.user, { path: `${item}/data` })).json, full)
})

test('an operation that reads or moves the guarded value is 400, whether it exists or not', async (t) => {
  const operations = [
    { op: 'test', path: '/secret', value: 1 },
    { op: 'copy', from: '/card', path: '/seen' },
    { op: 'move', from: '/secret/a', path: '/seen' },
    { op: 'add', path: '/list/0', value: 1 },
    { op: 'remove', path: '/list/0' },
    { op: 'remove', path: '/secret' },
  ]
  const item = await create()
  const rejected = await patch(item, operations)
  t.is(rejected.status, 400)
  const paths = ['0.path', '1.from', '2.from', '3.path', '4.path', '5.path']
  t.deepEqual(errorPaths(rejected), paths)
  const without = await patch(await create(shown), operations)
  t.deepEqual(without.json?.details, rejected.json?.details)
  const inner = await patch(item, [{ op: 'test', path: '/pin', value: 1 }], '/card')
  t.deepEqual(errorPaths(inner), ['0.path'])
  const byUser = { method: 'PATCH', path: `${item}/data`, body: operations.slice(1, 2) }
  t.is((await ask(account.user, byUser)).status, 200)
})

test('setting a guarded value does not reveal whether one exists', async (t) => {
  for (const data of [full, { title: 'x' }]) {
    const item = await create(data)
    const answers = [
      await patch(item, [{ op: 'replace', path: '/secret', value: { a: 'b' } }]),
      await ask(token, { method: 'PUT', path: `${item}/data/secret`, body: { a: 'c' } }),
      await ask(token, { method: 'POST', path: `${item}/data/secret`, body: { a: 'd' } }),
    ]
    for (const answer of answers) t.is(answer.status, 200, answer.text)
    t.like((await ask(account.user, { path: `${item}/data/secret` })).json, { a: 'd' })
  }
})

test('filling up the visible data does not reveal the size of a guarded value', async (t) => {
  const maxBytes = 1_048_576
  for (const hidden of ['', 'x'.repeat(500_000)]) {
    const item = await create({ secret: { a: hidden }, card: { pin: hidden } })
    const largest = 'y'.repeat(maxBytes - '{"card":{},"open":""}'.length)
    const calls: [status: number, method: string, at: string, body: unknown][] = [
      [200, 'PUT', '/data/open', largest],
      [413, 'PUT', '/data/open', `${largest}y`],
      [200, 'POST', '/data', { open: largest }],
      [413, 'POST', '/data', { open: `${largest}y` }],
      [200, 'PATCH', '/data', [{ op: 'add', path: '/open', value: largest }]],
      [413, 'PATCH', '/data', [{ op: 'add', path: '/open', value: `${largest}y` }]],
      [200, 'PUT', '', { data: { card: {}, open: largest } }],
      [413, 'PUT', '', { data: { card: {}, open: `${largest}y` } }],
      [200, 'POST', '/data', { secret: { a: 'z'.repeat(700_000) } }],
    ]
    for (const [status, method, at, body] of calls) {
      const request = { method, path: `${item}${at}?dryRun=true&includeData=false`, body: JSON.stringify(body) }
      const reply = await ask({ ...token, 'content-type': 'application/json' }, request)
      t.is(reply.status, status, `${method} ${at} next to ${hidden.length} hidden characters`)
    }
  }
})

test('a guarded element stays in place when a token writes back what it read', async (t) => {
  const data = { list: [0, 'canary'], title: 'x' }
  const guard = { pathName: 'second', pointer: '/list/1', guard: true }
  await addList(gateway.deps.db, account.accountId, { pathName: 'elements', indexes: [guard] })
  const items = '/lists/elements/items'
  const created = await ask(account.user, { method: 'POST', path: items, body: { data } })
  const item = `${items}/${created.json?.id}`
  const read = await ask(token, { path: item })
  t.deepEqual(read.json?.data, { list: [0, null], title: 'x' })
  await ask(token, { method: 'PUT', path: item, body: { data: read.json?.data } })
  await ask(token, { method: 'POST', path: `${item}/data`, body: { list: [2] } })
  await ask(token, { method: 'PATCH', path: `${item}/data`, body: [{ op: 'replace', path: '/title', value: 'y' }] })
  t.deepEqual((await ask(account.user, { path: `${item}/data` })).json, { list: [0, 'canary', 2], title: 'y' })
})

test('errors of a value that a token sent are reported, whatever is kept next to it', async (t) => {
  for (const data of [full, shown]) {
    const item = await create(data)
    for (const [method, at, body] of [
      ['PUT', '', { data: { card: {}, secret: { k: 5 } } }],
      ['POST', '/data', { secret: { k: 5 } }],
    ] as const) {
      const rejected = await ask(token, { method, path: `${item}${at}`, body })
      t.is(rejected.json?.name, 'ITEM_SCHEMA_INVALID')
      t.deepEqual(
        errorsOf(rejected).map(({ pointer }) => pointer),
        ['/secret/k'],
      )
    }
  }
})

test('for errors of a kept guarded value a token sees only that there are some', async (t) => {
  const item = await create()
  const stale = JSON.stringify({ ...full, secret: { 'canary-key': 7 } })
  await gateway.deps.db.run('update items set data = ? where id = ?', [stale, item.split('/').at(-1) ?? ''])
  const rejected = await ask(token, { method: 'POST', path: `${item}/data`, body: { title: 'y' } })
  t.is(rejected.json?.name, 'ITEM_SCHEMA_INVALID')
  t.deepEqual(
    errorsOf(rejected).map(({ pointer }) => pointer),
    [''],
  )
  t.false(rejected.text.includes('canary'))
})

test('an earlier version is shown without the currently guarded values', async (t) => {
  const item = await create()
  await patch(item, [{ op: 'replace', path: '/title', value: 'y' }])
  const earlier = await ask(token, { path: `${item}?version=1.0.0` })
  t.deepEqual(earlier.json?.data, shown)
  t.is(earlier.json?.size, JSON.stringify(shown).length)
  t.is((await ask(token, { path: `${item}/data/secret?version=1.0.0` })).json?.name, 'POINTER_NOT_FOUND')
  t.deepEqual((await ask(account.user, { path: `${item}/data/secret?version=1.0.0` })).json, full.secret)
})
