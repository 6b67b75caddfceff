import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { addList, modifyList } from '../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../support/databases/contents/rows.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { play, type Scenario } from '../../../support/http/scenario.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...listRoutes, ...itemRoutes, ...webhookRoutes] })
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (body: unknown) => ask({ method: 'POST', path: '/lists', body })

let names = 0
/** Creates a list of the account with a unique path name. */
async function created(body: Record<string, unknown> = {}): Promise<{ id: string; pathName: string }> {
  const { status, text, json } = await create({ pathName: `list-${++names}`, ...body })
  if (status !== 201) throw new Error(text)
  return json as { id: string; pathName: string }
}

test('a create and a change report which settings have no effect yet', async (t) => {
  const { json } = await create({ name: 'Settings', generativePrompt: 'More!', generative: false })
  t.deepEqual(Object(json).warnings, ['generativePrompt has no effect yet.'])
  const path = `/lists/${Object(json).id}`
  const changed = await ask({ method: 'PUT', path, body: { generative: true, description: 'x' } })
  t.deepEqual(Object(changed.json).warnings, ['generative has no effect yet.'])
  t.false('warnings' in Object((await ask({ method: 'PUT', path, body: { description: 'y' } })).json))
  t.false('warnings' in Object((await ask({ path })).json))
})

test('a create and a change report which keywords of a schema draft-07 does not have', async (t) => {
  const { json } = await create({ name: 'Newer', schema: { $defs: {}, 'x-list': 'hosts' } })
  const warnings = [
    'The schema has $defs, which is not a keyword of draft-07 and validates nothing; draft-07 has definitions.',
  ]
  t.deepEqual(Object(json).warnings, warnings)
  const change = (body: object) => ask({ method: 'PUT', path: `/lists/${Object(json).id}`, body })
  t.deepEqual(Object((await change({ schema: { $defs: { a: {} } } })).json).warnings, warnings)
  t.false('warnings' in Object((await change({ description: 'y' })).json))
})

test('a new list has the fields and defaults of the contract, and is read by id and by path name ignoring case', async (t) => {
  const { status, json, text } = await create({ name: 'Crème brûlée!' })
  t.is(status, 201)
  const { id, createdAt, updatedAt, ...fields } = Object(json)
  t.deepEqual(fields, {
    name: 'Crème brûlée!',
    description: '',
    tags: [],
    pathName: 'creme-brulee',
    schema: null,
    scope: null,
    pinned: false,
    readonly: false,
    realtime: false,
    protected: false,
    indexable: true,
    generative: false,
    generativePrompt: null,
    activated: true,
    itemCount: 0,
  })
  t.regex(id, /^[0-9a-f-]{36}$/)
  t.regex(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.is(updatedAt, createdAt)
  for (const ref of [id, 'creme-brulee', 'Creme-BRULEE']) t.is((await ask({ path: `/lists/${ref}` })).text, text)
})

test('one of the two names is derived from the other, and a name without usable characters gets a path name from the id', async (t) => {
  t.is(Object((await create({ pathName: 'Only_Path' })).json).name, 'Only_Path')
  const { id, pathName } = Object((await create({ name: 'レシピ' })).json)
  t.is(pathName, `list-${id}`)
})

test('every setting of a list is stored and returned', async (t) => {
  const body = {
    name: 'All',
    description: 'Everything',
    tags: ['B', 'a', 'b'],
    pathName: 'All-of-it',
    pinned: true,
    realtime: true,
    protected: true,
    indexable: false,
    generative: true,
    generativePrompt: 'More!',
    activated: false,
    readonly: true,
  }
  const { id } = await created(body)
  t.like((await ask({ path: `/lists/${id}` })).json, { ...body, tags: ['b', 'a'] })
})

test('a schema keeps the text that was sent', async (t) => {
  const schema = '{"properties":{"2":{"maximum":12345678901234567890},"1":{"const":1.0}}}'
  const text = `{"pathName":"texts","schema": ${schema.replaceAll(':', ' : ')} }`
  const headers = { ...account.user, 'content-type': 'application/json' }
  const reply = await ask({ method: 'POST', path: '/lists', body: text, headers })
  t.is(reply.status, 201)
  t.true(reply.text.includes(`"schema":${schema}`))
  t.true((await ask({ path: '/lists/texts' })).text.includes(`"schema":${schema}`))
  t.is(Object((await ask({ method: 'PUT', path: '/lists/texts', body: { schema: null } })).json).schema, null)
})

const bad: Scenario[] = [
  { path: '/lists', is: '400 VALIDATION_FAILED', body: {}, errors: ['name'] },
  { path: '/lists', is: '400 VALIDATION_FAILED', body: { name: '' }, errors: ['name'] },
  { path: '/lists', is: '400 VALIDATION_FAILED', body: { name: 'x'.repeat(201) }, errors: ['name'] },
  { path: '/lists', is: '400 VALIDATION_FAILED', body: { pathName: 'a b' }, errors: ['pathName'] },
  { path: '/lists', is: '400 VALIDATION_FAILED', body: { pathName: '' }, errors: ['pathName'] },
  { path: '/lists', is: '400 VALIDATION_FAILED', body: { name: 'x', scope: 'mine' }, errors: ['scope'] },
  {
    path: '/lists',
    is: '400 VALIDATION_FAILED',
    body: { name: 'x', itemCount: 3, id: 'y' },
    errors: ['id', 'itemCount'],
  },
  { path: '/lists', is: '400 VALIDATION_FAILED', body: { name: 'x', tags: ['a b'] }, errors: ['tags.0'] },
  { path: '/lists', is: '400 VALIDATION_FAILED', body: { name: 'x', schema: 'object' }, errors: ['schema'] },
  {
    path: '/lists',
    is: '400 VALIDATION_FAILED',
    body: { pinned: 1, schema: { properties: { a: { type: 'text' }, b: { pattern: '(?=a)' } } } },
    errors: ['name', 'pinned', 'schema.properties.a.type', 'schema.properties.b.pattern'],
  },
]

for (const [n, scenario] of bad.entries()) {
  test(`a list is rejected with every error at once (${n}: ${scenario.errors})`, (t) =>
    play(t, gateway.port, { method: 'POST', headers: account.user, ...scenario }))
}

test('a path name is unique in the account ignoring case; another account has its own', async (t) => {
  const { id } = await created({ pathName: 'Taken' })
  const other = await created()
  const taken = '409 LIST_PATH_NAME_TAKEN'
  for (const body of [{ pathName: 'tAKEN' }, { name: 'Taken' }]) {
    await play(t, gateway.port, { method: 'POST', path: '/lists', headers: account.user, body, is: taken })
  }
  const put = { method: 'PUT', headers: account.user, body: { pathName: 'TAKEN' } }
  await play(t, gateway.port, { ...put, path: `/lists/${other.id}`, is: taken })
  await play(t, gateway.port, { ...put, path: `/lists/${id}`, is: '200', contains: { pathName: 'TAKEN' } })
  const stranger = await makeAccount(gateway.deps.db)
  const theirs = { method: 'POST', path: '/lists', headers: stranger.user, body: { pathName: 'taken' } }
  await play(t, gateway.port, { ...theirs, is: '201' })
})

test('a change is partial, increases the settings version and is seen at once by item requests', async (t) => {
  const { id, pathName } = await created({ description: 'before', tags: ['x'] })
  const items = `/lists/${pathName}/items`
  t.is((await ask({ method: 'POST', path: items, body: { data: 5 } })).status, 201)
  const version = () => gateway.deps.db.get('select config_version as n from lists where id = ?', [id])
  t.deepEqual(await version(), { n: 1 })
  const put = await ask({ method: 'PUT', path: `/lists/${id}`, body: { schema: { type: 'object' }, name: 'New' } })
  t.is(put.status, 200)
  t.like(put.json, { name: 'New', description: 'before', tags: ['x'], itemCount: 1, schema: { type: 'object' } })
  t.true(Object(put.json).updatedAt > Object(put.json).createdAt)
  t.deepEqual(await version(), { n: 2 })
  t.is((await ask({ method: 'POST', path: items, body: { data: 5 } })).json?.name, 'ITEM_SCHEMA_INVALID')
  t.is(put.text, (await ask({ path: `/lists/${id}` })).text)
})

test('an empty change is rejected', async (t) => {
  const { id } = await created()
  await play(t, gateway.port, {
    method: 'PUT',
    path: `/lists/${id}`,
    headers: account.user,
    body: {},
    is: '400 VALIDATION_FAILED',
  })
})

test('a readonly list rejects changes and its deletion until a change makes it writable', async (t) => {
  const { id } = await created({ readonly: true })
  const at = { path: `/lists/${id}`, headers: account.user }
  const rejected = '409 LIST_READONLY'
  await play(t, gateway.port, { ...at, method: 'PUT', body: { name: 'x' }, is: rejected })
  await play(t, gateway.port, { ...at, method: 'PUT', body: { readonly: true }, is: rejected })
  await play(t, gateway.port, { ...at, method: 'DELETE', is: rejected })
  await play(t, gateway.port, { ...at, path: `${at.path}/items`, method: 'POST', body: {}, is: rejected })
  const writable = { readonly: false, name: 'x' }
  await play(t, gateway.port, { ...at, method: 'PUT', body: writable, is: '200', contains: writable })
  await play(t, gateway.port, { ...at, method: 'DELETE', is: '204' })
})

test('a protected list is deleted only without items', async (t) => {
  const { id } = await created({ protected: true })
  const at = { path: `/lists/${id}`, headers: account.user }
  const item = await ask({ method: 'POST', path: `/lists/${id}/items`, body: {} })
  await play(t, gateway.port, { ...at, method: 'DELETE', is: '409 LIST_PROTECTED' })
  await ask({ method: 'DELETE', path: `/lists/${id}/items/${item.json?.id}` })
  await play(t, gateway.port, { ...at, method: 'DELETE', is: '204' })
})

test('the tag of a scope stays, in addition to twenty of the list', async (t) => {
  const { id } = await created()
  await modifyList(gateway.deps.db, id, { scope: 'Kitchen', tags: '["kitchen"]' })
  const put = (tags: string[]) => ask({ method: 'PUT', path: `/lists/${id}`, body: { tags } })
  t.deepEqual(Object((await put([])).json).tags, ['kitchen'])
  const own = Array.from({ length: 20 }, (_, n) => `t${n}`)
  t.deepEqual(Object((await put([...own, 'kitchen'])).json).tags, [...own, 'kitchen'])
  t.is((await put([...own, 'one-more'])).status, 400)
})

test('creating, changing and deleting are in the event log with the actor and the state of the list', async (t) => {
  const headers = await account.token()
  const { id } = Object((await ask({ method: 'POST', path: '/lists', headers, body: { pathName: 'logged' } })).json)
  await ask({ method: 'PUT', path: `/lists/${id}`, body: { name: 'Logged' } })
  await ask({ method: 'DELETE', path: `/lists/${id}` })
  const rows = await gateway.deps.db.all<{ type: string; actor: string; snapshot: string }>(
    'select type, actor, snapshot from events where model_id = ? order by created_at, id',
    [id],
  )
  t.deepEqual(
    rows.map(({ type, actor, snapshot }) => [type, JSON.parse(actor).authMode, JSON.parse(snapshot).name]),
    [
      ['list-created', 'token', 'logged'],
      ['list-updated', 'user', 'Logged'],
      ['list-deleted', 'user', 'Logged'],
    ],
  )
})

test('a deleted list is removed for everyone at once, its path name is free, and no item events are sent', async (t) => {
  const { id } = await created({ pathName: 'Gone' })
  const item = await ask({ method: 'POST', path: '/lists/gone/items', body: { data: { x: 1 } } })
  const events = () =>
    gateway.deps.db.get("select count(*) as n from events where list_id = ? and stream = 'item'", [id])
  const before = await events()
  t.is((await ask({ method: 'DELETE', path: '/lists/GONE' })).status, 204)
  const paths = ['/lists/gone', `/lists/${id}`, `/lists/${id}/items`, `/lists/gone/items/${item.json?.id}`]
  for (const path of paths) t.is((await ask({ path })).json?.name, 'REQUESTED_ENTITY_NOT_FOUND', path)
  t.is((await ask({ method: 'POST', path: `/lists/${id}/items`, body: {} })).status, 404)
  t.is((await ask({ method: 'DELETE', path: '/lists/gone' })).status, 404)
  t.deepEqual(await events(), before)

  const again = await created({ pathName: 'gone' })
  t.not(again.id, id)
  t.like((await ask({ path: '/lists/gone/items' })).json, { total: 0, data: [] })
  t.is((await ask({ path: `/lists/gone/items/${item.json?.id}` })).status, 404)
})

test('a webhook that named a deleted list keeps its id, and therefore does not widen to all lists', async (t) => {
  const { id } = await created()
  const webhookId = await makeWebhook(gateway.deps.db, { accountId: account.accountId, listIds: [id] })
  await ask({ method: 'DELETE', path: `/lists/${id}` })
  t.deepEqual(Object((await ask({ path: `/webhooks/${webhookId}` })).json).listIds, [id])
})

test('a text that cannot name a list is not looked up', async (t) => {
  for (const ref of ['a%20b', newId(), 'x'.repeat(300), '%00']) {
    t.is((await ask({ path: `/lists/${ref}` })).json?.name, 'REQUESTED_ENTITY_NOT_FOUND')
  }
})

test('an id takes precedence over a path name that looks like one', async (t) => {
  const { id } = await created()
  await addList(gateway.deps.db, account.accountId, { pathName: id })
  t.is(Object((await ask({ path: `/lists/${id}` })).json).id, id)
})
