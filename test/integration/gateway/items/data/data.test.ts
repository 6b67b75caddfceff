import test, { type ExecutionContext } from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../../support/databases/contents/rows.ts'
import { errorPaths, errorsOf } from '../../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let json: Record<string, string>

test.before(async () => {
  gateway = await startGateway(cleanup, {
    routes: [...itemRoutes, ...itemDataRoutes],
    env: { LISTD_ITEMS_MAX_BYTES: '20000' },
  })
  account = await makeAccount(gateway.deps.db)
  json = { ...(await account.token()), 'content-type': 'application/json' }
  const schema = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
  await addList(gateway.deps.db, account.accountId, { schema, pathName: 'validated' })
  await addList(gateway.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  await addList(gateway.deps.db, account.accountId, { pathName: 'paged' })
})

const ask = (request: Call) => call(gateway.port, { headers: json, ...request })

/** Creates an item. @returns the path of its data */
async function create(data: string, list = 'recipes'): Promise<string> {
  const added = await ask({ method: 'POST', path: `/lists/${list}/items`, body: `{"data":${data}}` })
  return `/lists/${list}/items/${added.json?.id}`
}

/** The data of the item after a call. */
async function afterCall(t: ExecutionContext, item: string, request: Omit<Call, 'path'> & { at?: string }) {
  const { at = '', ...rest } = request
  const reply = await ask({ ...rest, path: `${item}/data${at}` })
  t.is(reply.status, 200, reply.text)
  const data = (await ask({ path: `${item}/data` })).text
  t.true(reply.text.includes(`"data":${data},`), reply.text)
  t.is((await ask({ path: item })).json?.etag, reply.headers.etag)
  return data
}

const text =
  '{"10":1.50,"2":{"n":12345678901234567890,"é":"\\u00e9"},"list":[1e400,{"x":null}],"":{"":5},"a/b":6,"m~n":7}'

const reads: [claim: string, path: string, expected: string | null][] = [
  ['the whole data', '', text],
  ['the whole data with a slash at the end', '/', text],
  ['a member by the pointer', '//10', '1.50'],
  ['a member by its steps', '/10', '1.50'],
  ['a member deeper down', '/2/n', '12345678901234567890'],
  ['the same by the pointer', '//2/n', '12345678901234567890'],
  ['a member whose key is encoded', '/2/%C3%A9', '"\\u00e9"'],
  ['an element', '/list/0', '1e400'],
  ['a member whose value is null', '/list/1/x', 'null'],
  ['an empty key by the pointer', '//', '{"":5}'],
  ['empty keys', '///', '5'],
  ['a key with a slash', '/a~1b', '6'],
  ['a key with a tilde', '/m~0n', '7'],
  ['an encoded tilde', '/a%7E1b', '6'],
  ['an encoded pointer', '/%2F2%2Fn', '12345678901234567890'],
  ['an encoded slash between two steps', '/list%2F0', '1e400'],
  ['a missing member', '/nothing', null],
  ['a missing element', '/list/2', null],
  ['the place after the last element', '/list/-', null],
  ['a position with a leading zero', '/list/00', null],
  ['a member of a scalar', '/10/x', null],
  ['a key with a slash at its end', '/10/', null],
  ['a name that objects inherit', '/constructor', null],
]

for (const [claim, path, expected] of reads) {
  test(`a read of ${claim}, /data${path}`, async (t) => {
    const item = await create(text)
    const read = await ask({ path: `${item}/data${path}` })
    if (expected === null) t.like(read, { status: 404, json: { name: 'POINTER_NOT_FOUND', code: 12108 } })
    else t.deepEqual([read.status, read.text, read.headers.etag?.split('-', 1)], [200, expected, ['"1']])
  })
}

test('an invalid, too long or undecodable pointer is 400', async (t) => {
  const item = await create(text)
  for (const pointer of ['~', 'a~2', '/a/~', 'x'.repeat(1_024)]) {
    const rejected = await ask({ path: `${item}/data/${pointer}` })
    t.is(rejected.status, 400, pointer)
    t.deepEqual(errorPaths(rejected), ['pointer'])
    t.is((await ask({ method: 'PUT', path: `${item}/data/${pointer}`, body: '1' })).status, 400)
  }
  for (const character of ['x', '%F0%9F%98%80']) {
    t.is((await ask({ path: `${item}/data/${character.repeat(1_023)}` })).status, 404)
    t.is((await ask({ path: `${item}/data/${character.repeat(1_024)}` })).status, 400)
  }
  t.is((await ask({ path: `${item}/data/%ff` })).status, 400)
})

test('the item may be named by its alias', async (t) => {
  await create('{"slug":"soup","n":1.0}')
  t.is((await ask({ path: '/lists/recipes/items/soup/data/n' })).text, '1.0')
})

test('PUT replaces the value at the pointer, or adds it to its parent object or array', async (t) => {
  const put = async (at: string, body: string) =>
    afterCall(t, await create('{"a":{"x":1.0},"l":[1,2]}'), { method: 'PUT', at, body })
  t.is(await put('/a/x', ' [ 1e400 ] '), '{"a":{"x":[1e400]},"l":[1,2]}')
  t.is(await put('//a/y', '"\\u0061"'), '{"a":{"x":1.0,"y":"\\u0061"},"l":[1,2]}')
  t.is(await put('/l/1', 'null'), '{"a":{"x":1.0},"l":[1,null]}')
  t.is(await put('/l/-', '3'), '{"a":{"x":1.0},"l":[1,2,3]}')
  t.is(await put('', '7.0'), '7.0')
  t.is(await put('/a?pointer=/l', '2'), '{"a":2,"l":[1,2]}')
})

test('POST merges: objects member by member, arrays by appending', async (t) => {
  const post = async (at: string, body: string, headers = json) =>
    afterCall(t, await create('{"a":{"x":1.0,"l":[1]},"b":null}'), { method: 'POST', at, body, headers })
  t.is(await post('', '{"a":{"l":[2.0],"y":3},"c":[]}'), '{"a":{"x":1.0,"l":[1,2.0],"y":3},"b":null,"c":[]}')
  t.is(await post('/a', '{"x":null}'), '{"a":{"x":null,"l":[1]},"b":null}')
  t.is(await post('/a/l?pointer=/b', '[2]'), '{"a":{"x":1.0,"l":[1,2]},"b":null}')
  t.is(await post('/n', '{"x":1}'), '{"a":{"x":1.0,"l":[1]},"b":null,"n":{"x":1}}')
  t.is(await post('?merge=rfc7396', '{"a":{"x":null,"l":[2]}}'), '{"a":{"l":[2]},"b":null}')
  t.is(await post('/n?merge=rfc7396', '{"x":{"y":null}}'), '{"a":{"x":1.0,"l":[1]},"b":null,"n":{"x":{}}}')
  const patchType = { ...json, 'content-type': 'application/merge-patch+json; charset=utf-8' }
  t.is(await post('', '{"a":null}', patchType), '{"b":null}')
  const rejected = await ask({ method: 'POST', path: `${await create('{}')}/data?merge=other`, body: '{}' })
  t.deepEqual(errorPaths(rejected), ['merge'])
})

test('DELETE removes the value at the pointer, and returns the item', async (t) => {
  const remove = async (at: string) =>
    afterCall(t, await create('{"a":{"x":1.0,"y":2},"l":[1,2]}'), { method: 'DELETE', at })
  t.is(await remove('/a/x'), '{"a":{"y":2},"l":[1,2]}')
  t.is(await remove('/l/0'), '{"a":{"x":1.0,"y":2},"l":[2]}')
  const item = await create('{"a":1}')
  t.is((await ask({ method: 'DELETE', path: `${item}/data/b` })).json?.name, 'POINTER_NOT_FOUND')
  for (const none of ['', '/']) {
    const rejected = await ask({ method: 'DELETE', path: `${item}/data${none}` })
    t.is(rejected.status, 400)
    t.deepEqual(errorPaths(rejected), ['pointer'])
  }
})

test('a write to a place without a parent is POINTER_NOT_FOUND', async (t) => {
  const item = await create('{"a":1,"l":[]}')
  const calls: [method: string, at: string, reason: string][] = [
    ['PUT', '/b/c', '"/b/c" is not in an object or array'],
    ['POST', '/a/b', '"/a/b" is not in an object or array'],
    ['PUT', '/l/1', '"/l/1" is not a position in an array'],
    ['DELETE', '/b', 'there is nothing at "/b"'],
    ['PATCH', '/b', 'There is nothing at this pointer'],
  ]
  for (const [method, at, reason] of calls) {
    const rejected = await ask({ method, path: `${item}/data${at}`, ...(method !== 'DELETE' && { body: '[]' }) })
    t.like(rejected, { status: 404, json: { name: 'POINTER_NOT_FOUND' } }, `${method} ${at}`)
    t.true(String(rejected.json?.message).includes(reason), rejected.text)
  }
  t.is((await ask({ path: item })).json?.version, '1.0.0')
})

test('PATCH applies its operations in order, relative to the pointer', async (t) => {
  const item = await create('{"a":{"x":1.0,"l":[1]},"b":2}')
  const body = [
    '{"op":"test","path":"/x","value":1}',
    '{"op":"add","path":"/l/0","value": 1e400 , "from": "ignored"}',
    '{"op":"copy","from":"/l","path":"/m"}',
    '{"op":"move","from":"/x","path":"/y"}',
    '{"op":"remove","path":"/l/1"}',
    '{"op":"replace","path":"/m","value":{"k":[]}}',
  ]
  const headers = { ...json, 'content-type': 'application/json-patch+json' }
  const data = await afterCall(t, item, { method: 'PATCH', at: '/a?pointer=/b', body: `[${body}]`, headers })
  t.is(data, '{"a":{"l":[1e400],"m":{"k":[]},"y":1.0},"b":2}')
})

test('if one operation of a patch fails, nothing is applied', async (t) => {
  const item = await create('{"a":1}')
  const body = '[{"op":"replace","path":"/a","value":2},{"op":"test","path":"/a","value":1}]'
  const failed = await ask({ method: 'PATCH', path: `${item}/data`, body })
  t.like(failed, { status: 409, json: { name: 'ITEM_PATCH_FAILED', code: 12109, details: { operation: 1 } } })
  t.like((await ask({ path: item })).json, { data: { a: 1 }, version: '1.0.0' })
})

const badPatches: [body: string, faults: string[]][] = [
  ['{}', ['']],
  ['[1,[],null]', ['0', '1', '2']],
  ['[{}]', ['0.op', '0.path']],
  ['[{"op":"add","path":"/a"},{"op":"move","path":"a"}]', ['0.value', '1.from', '1.path']],
  ['[{"op":"toString","path":"/a","value":1},{"op":"remove","path":1}]', ['0.op', '1.path']],
  [`[{"op":"remove","path":"/${'x'.repeat(1_024)}"}]`, ['0.path']],
  [`[${Array(1_001).fill('1')}]`, ['']],
]
test('the errors of a patch are reported at once', async (t) => {
  const item = await create('{"a":1}')
  for (const [body, faults] of badPatches) {
    const rejected = await ask({ method: 'PATCH', path: `${item}/data`, body })
    t.is(rejected.status, 400, rejected.text)
    t.deepEqual(errorPaths(rejected), faults)
  }
  t.is((await ask({ method: 'PATCH', path: `${item}/data`, body: '' })).status, 400)
})

test('the result is validated by the schema and the limits of data', async (t) => {
  const item = await create('{"title":"x"}', 'validated')
  const invalid = await ask({ method: 'DELETE', path: `${item}/data/title` })
  t.like(invalid, { status: 400, json: { name: 'ITEM_SCHEMA_INVALID' } })
  const typed = await ask({ method: 'PUT', path: `${item}/data/title`, body: '5' })
  t.deepEqual(
    errorsOf(typed).map(({ pointer }) => pointer),
    ['/title'],
  )
  const long = `"${'x'.repeat(12_000)}"`
  t.is((await ask({ method: 'PUT', path: `${item}/data/a`, body: long })).status, 200)
  t.is((await ask({ method: 'PUT', path: `${item}/data/b`, body: long })).status, 413)
  const copies = JSON.stringify([
    { op: 'copy', from: '/a', path: '/b' },
    { op: 'remove', path: '/b' },
  ])
  t.is((await ask({ method: 'PATCH', path: `${item}/data`, body: copies })).json?.name, 'PAYLOAD_TOO_LARGE')
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  t.is((await ask({ method: 'PUT', path: `${item}/data/deep`, body: nested(199) })).status, 200)
  const deep = await ask({ method: 'PUT', path: `${item}/data/deep`, body: nested(200) })
  t.deepEqual(errorPaths(deep), ['data'])
  t.is((await ask({ path: item })).json?.version, '1.0.2')
})

test('readonly items, if-match and an alias in use reject a data write', async (t) => {
  const item = await create('{"slug":"first"}')
  await create('{"slug":"second"}')
  const put = (body: string, headers = json) => ask({ method: 'PUT', path: `${item}/data/slug`, body, headers })
  t.is((await put('"third"', { ...json, 'if-match': '"7"' })).status, 412)
  t.is((await put('"second"')).json?.name, 'ITEM_ALIAS_TAKEN')
  t.is((await put('"third"', { ...json, 'if-match': '"1"' })).headers.etag, '"2"')
  await ask({ method: 'PUT', path: item, body: '{"readonly":true}' })
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
    const body = method === 'DELETE' ? '' : '[]'
    t.is((await ask({ method, path: `${item}/data/slug`, body })).json?.name, 'ITEM_READONLY', method)
  }
  await ask({ method: 'PUT', path: item, body: '{"readonly":false}' })
  await call(gateway.port, { method: 'PUT', path: item, headers: account.user, body: { locked: true } })
  t.is((await put('"fourth"')).json?.name, 'ITEM_LOCKED')
})

test('a token needs update for data writes and view for reads', async (t) => {
  const item = await create('{"a":1}')
  const viewer = { ...json, ...(await account.token([{ mode: 'allow', action: 'view' }])) }
  t.is((await ask({ path: `${item}/data/a`, headers: viewer })).text, '1')
  t.is((await ask({ path: '/lists/recipes/items/data/a', headers: viewer })).status, 200)
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
    const body = method === 'DELETE' ? '' : '[]'
    t.is((await ask({ method, path: `${item}/data/a`, body, headers: viewer })).status, 403, method)
  }
  const creator = { ...json, ...(await account.token([{ mode: 'allow', action: 'create' }])) }
  t.is((await ask({ path: `${item}/data`, headers: creator })).status, 403)
})

test('includeData is true by default on data writes', async (t) => {
  const item = await create('{"a":1}')
  const written = await ask({ method: 'PUT', path: `${item}/data/a?includeData=false`, body: '2' })
  t.is(written.status, 200)
  t.false('data' in (written.json ?? {}))
})

test('a page of values shows null for an item without one', async (t) => {
  for (const data of ['{"n":1.0}', '{"m":2}', '{"n":[1e400]}']) await create(data, 'paged')
  const page = await ask({ path: '/lists/paged/items/data/n?direction=asc' })
  t.is(page.text, '{"page":1,"limit":20,"total":3,"data":[1.0,null,[1e400]]}')
  const whole = await ask({ path: '/lists/paged/items/data?direction=asc&limit=1&after=' })
  t.deepEqual(whole.json?.data, [{ n: 1 }])
  const next = await ask({ path: `/lists/paged/items/data//m?direction=asc&after=${whole.json?.next}` })
  t.deepEqual(next.json, { limit: 20, next: null, data: [2, null] })
})

test.serial('a data write is an update for webhooks, with the item before it', async (t) => {
  await makeWebhook(gateway.deps.db, account)
  const item = await create('{"a":1.0}')
  await ask({ method: 'DELETE', path: `${item}/data/a` })
  const rows = await gateway.deps.db.all<{ body: string }>('select body from event_payloads order by event_id')
  const [created, updated] = rows.map(({ body }) => JSON.parse(body))
  t.like(updated, { type: 'item.updated', data: { item: { data: {} } } })
  t.deepEqual(updated.data.previous, created.data.item)
})
