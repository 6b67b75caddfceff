import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { timeOfId } from '#shared/domain/id.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorsOf } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: itemRoutes })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  const schema = {
    type: 'object',
    required: ['title'],
    properties: { title: { type: 'string' }, n: { type: 'number' } },
  }
  await addList(gateway.deps.db, account.accountId, { schema, pathName: 'validated' })
  await addList(gateway.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })
const create = (body: unknown, list = 'recipes') => ask({ method: 'POST', path: `/lists/${list}/items`, body })
const path = (item: unknown, list = 'recipes') => `/lists/${list}/items/${item}`
const countItems = async () => (await gateway.deps.db.get<{ n: number }>('select count(*) as n from items'))?.n

test.serial('an item keeps the text of its data and gets its defaults', async (t) => {
  const data = '{"10":1.50,"2":12345678901234567890,"é":"\\u00e9","__proto__":{"x":1e400}}'
  const created = await ask({
    method: 'POST',
    path: '/lists/recipes/items',
    headers: { ...token, 'content-type': 'application/json' },
    body: `{ "tags": ["A","a"], "data" : ${data.replaceAll(',', ' ,\n')} }`,
  })
  t.is(created.status, 201)
  t.true(created.text.includes(`"data":${data}`))
  t.like(created.json, {
    version: '1.0.0',
    readonly: false,
    activated: true,
    locked: false,
    description: '',
    tags: ['a'],
    identity: null,
    size: Buffer.byteLength(data),
  })
  t.like(created, { headers: { etag: '"1"' }, json: { etag: '"1"' } })
  t.is(created.json?.createdAt, created.json?.updatedAt)
  t.deepEqual(Object.keys(created.json ?? {}).toSorted(), fields)
  const read = await ask({ path: path(created.json?.id) })
  t.is(read.text, created.text)
  t.regex(String(read.headers.etag), /^"1-/)
})

const fields = [
  'activated',
  'createdAt',
  'data',
  'description',
  'etag',
  'id',
  'identity',
  'locked',
  'readonly',
  'size',
  'tags',
  'updatedAt',
  'version',
]

test.serial('without data an item has null, and includeData=false leaves data out', async (t) => {
  const { json } = await create({})
  t.like(json, { data: null, size: 4 })
  const read = await ask({ path: `${path(json?.id)}?includeData=false` })
  t.is(read.status, 200)
  t.false('data' in (read.json ?? {}))
  const written = await ask({ method: 'PUT', path: `${path(json?.id)}?includeData=0`, body: { description: 'x' } })
  t.false('data' in (written.json ?? {}))
})

test.serial('an update changes only what it names, and increases version, revision and time', async (t) => {
  const { json } = await create({ data: { a: 1, b: 2 }, description: 'old', tags: ['x'], version: '2.5.9' })
  const updated = await ask({ method: 'PUT', path: path(json?.id), body: { data: { b: 3 } } })
  t.is(updated.status, 200)
  t.like(updated.json, {
    data: { b: 3 },
    description: 'old',
    tags: ['x'],
    version: '2.5.10',
    createdAt: json?.createdAt,
  })
  t.like(updated, { headers: { etag: '"2"' }, json: { etag: '"2"' } })
  t.true(String(updated.json?.updatedAt) > String(json?.updatedAt))
  const further = await ask({ method: 'PUT', path: path(json?.id), body: { version: '3.0.0', tags: [] } })
  t.like(further.json, { data: { b: 3 }, version: '3.0.0', tags: [] })
  const back = await ask({ method: 'PUT', path: path(json?.id), body: { version: '3.0.0' } })
  t.like(back, { status: 400, json: { name: 'VALIDATION_FAILED', details: { errors: [{ path: 'version' }] } } })
})

test.serial('a deletion returns the last state of the item, and then it no longer exists', async (t) => {
  const { json } = await create({ data: { slug: 'gone' } })
  const deleted = await ask({ method: 'DELETE', path: path('gone') })
  t.is(deleted.status, 200)
  t.deepEqual(deleted.json, json)
  t.like(deleted, { headers: { etag: '"1"' }, json: { etag: '"1"' } })
  t.is((await ask({ path: path(json?.id) })).status, 404)
  t.is((await ask({ method: 'DELETE', path: path(json?.id) })).status, 404)
  t.is((await create({ data: { slug: 'gone' } })).status, 201) // the alias is free again
})

test.serial('an item is found by its exact alias, and an id takes precedence', async (t) => {
  const first = await create({ data: { slug: 'Soup/of the day' } })
  t.is((await ask({ path: path(encodeURIComponent('Soup/of the day')) })).json?.id, first.json?.id)
  t.is((await ask({ path: path('soup') })).status, 404)
  const second = await create({ data: { slug: first.json?.id } })
  t.is((await ask({ path: path(first.json?.id) })).json?.id, first.json?.id)
  await ask({ method: 'DELETE', path: path(first.json?.id) })
  t.is((await ask({ path: path(first.json?.id) })).json?.id, second.json?.id)
  const taken = await create({ data: { slug: first.json?.id } })
  const details = { alias: first.json?.id }
  t.like(taken, { status: 409, json: { name: 'ITEM_ALIAS_TAKEN', code: 12104, details } })
  t.is(taken.json?.message, `Another item of the list has the alias "${details.alias}".`)
})

test.serial(
  'a schema of the list validates creates and updates of data, all errors at once, and nothing is written',
  async (t) => {
    const before = await countItems()
    const bad = await create({ data: { n: 'x' } }, 'validated')
    t.like(bad, { status: 400, json: { name: 'ITEM_SCHEMA_INVALID', code: 12101 } })
    t.deepEqual(
      errorsOf(bad).map(({ pointer }) => pointer),
      ['', '/n'],
    )
    t.true(errorsOf(bad).every(({ path, message, msg }) => path.startsWith('data') && message === msg && msg !== ''))
    t.is(await countItems(), before)
    const good = await create({ data: { title: 'x' } }, 'validated')
    const worse = await ask({ method: 'PUT', path: path(good.json?.id, 'validated'), body: { data: {} } })
    t.is(worse.json?.name, 'ITEM_SCHEMA_INVALID')
    t.is((await ask({ path: path(good.json?.id, 'validated') })).json?.etag, '"1"')
  },
)

test.serial('if-match lets a write continue only at the revision that it names', async (t) => {
  const { json } = await create({ data: 1 })
  const put = (ifMatch: string) =>
    ask({ method: 'PUT', path: path(json?.id), headers: { ...token, 'if-match': ifMatch }, body: { data: 2 } })
  t.like(await put('"7"'), { status: 412, json: { name: 'ITEM_PRECONDITION_FAILED' } })
  t.is((await put('"1"')).status, 200)
  t.is((await put('"1"')).status, 412)
  t.is((await put('*')).status, 200)
  const drop = await ask({ method: 'DELETE', path: path(json?.id), headers: { ...token, 'if-match': '"1"' } })
  t.is(drop.status, 412)
})

test.serial('an item that is sent back whole is rejected with the names that a body does not have', async (t) => {
  const { json } = await create({ data: 1 })
  const reply = await ask({ method: 'PUT', path: path(json?.id), body: json })
  t.is(reply.status, 400)
  t.deepEqual(
    errorsOf(reply)
      .map(({ path }) => path)
      .sort(),
    ['createdAt', 'etag', 'id', 'identity', 'size', 'updatedAt'],
  )
})

test('the creation time of an item is the time of its id', async (t) => {
  const { json } = await create({ data: {} })
  t.is(Date.parse(String(json?.createdAt)), timeOfId(String(json?.id)))
})
