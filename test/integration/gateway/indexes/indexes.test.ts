import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { modifyList } from '../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { listOfItems } from '../../../support/http/list-of-items.ts'
import { play, type Scenario } from '../../../support/http/scenario.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...indexRoutes, ...itemRoutes, ...listRoutes, ...eventRoutes] })
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const post = (path: string, body?: unknown) => ask({ method: 'POST', path, body })
const put = (path: string, body: unknown) => ask({ method: 'PUT', path, body })

const listOf = (...data: unknown[]) => listOfItems({ gateway, account }, data)

test('a new index has the fields and defaults of the contract, and is read by id and by path name ignoring case', async (t) => {
  const { indexes } = await listOf()
  const { status, json } = await post(indexes, { name: 'Crème brûlée!', pointer: '/title' })
  t.is(status, 201)
  const { id, createdAt, updatedAt, ...fields } = Object(json)
  t.deepEqual(fields, {
    name: 'Crème brûlée!',
    description: '',
    tags: [],
    pathName: 'creme-brulee',
    scope: null,
    pointer: '/title',
    valueType: 'string',
    alias: false,
    sorting: false,
    filtering: false,
    searching: false,
    guard: false,
    defaultOrderDirection: 'asc',
    activated: true,
    buildStatus: 'ready',
  })
  t.is(createdAt, updatedAt)
  for (const ref of [id, id.toUpperCase(), 'CREME-brulee']) {
    t.deepEqual((await ask({ path: `${indexes}/${ref}` })).json, json)
  }
})

test('a path name is stored in lower case and is the name of an index without one', async (t) => {
  const { indexes } = await listOf()
  t.like(await post(indexes, { pathName: 'Slug', pointer: '' }), {
    status: 201,
    json: { pathName: 'slug', name: 'slug' },
  })
  t.like(await post(indexes, { pathName: 'SLUG', pointer: '' }), {
    status: 409,
    json: { name: 'INDEX_PATH_NAME_TAKEN', code: 16_001 },
  })
  t.like(await put(`${indexes}/slug`, { pathName: 'Other' }), {
    status: 200,
    json: { pathName: 'other', name: 'slug' },
  })
  await post(indexes, { pathName: 'slug', pointer: '' })
  t.like(await put(`${indexes}/slug`, { pathName: 'OTHER' }), { status: 409, json: { name: 'INDEX_PATH_NAME_TAKEN' } })
})

const invalid: [what: string, body: unknown, paths: string[]][] = [
  ['nothing', {}, ['name', 'pointer']],
  ['a bad pointer', { name: 'x', pointer: 'title' }, ['pointer']],
  [
    'a bad value type and direction',
    { name: 'x', pointer: '', valueType: 'text', defaultOrderDirection: 'up' },
    ['defaultOrderDirection', 'valueType'],
  ],
  [
    'read-only and unknown fields',
    { name: 'x', pointer: '', scope: 'a', buildStatus: 'ready', valuesId: 'x' },
    ['buildStatus', 'scope', 'valuesId'],
  ],
  ['a guard with other uses', { name: 'x', pointer: '/x', guard: true, sorting: true }, ['guard']],
]
for (const [what, body, errors] of invalid) {
  test(`an index with ${what} is 400`, async (t) => {
    const { indexes } = await listOf()
    await play(t, gateway.port, {
      method: 'POST',
      path: indexes,
      headers: account.user,
      body,
      is: '400 VALIDATION_FAILED',
      errors,
    })
  })
}

test('a pointer that overlaps that of a guard index is 400, both ways; a second alias index is 409', async (t) => {
  const { indexes } = await listOf()
  await post(indexes, { pathName: 'g', pointer: '/a/b', guard: true })
  await post(indexes, { pathName: 'i', pointer: '/c', alias: true })
  const scenarios: Omit<Scenario, 'path' | 'headers'>[] = [
    ...['', '/a', '/a/b', '/a/b/c'].map((pointer) => ({
      body: { name: 'x', pointer },
      is: '400 VALIDATION_FAILED',
      errors: ['pointer'],
    })),
    { body: { name: 'x', pointer: '/c/d', guard: true }, is: '400 VALIDATION_FAILED', errors: ['pointer'] },
    { body: { name: 'x', pointer: '/x', alias: true }, is: '409 INDEX_ALIAS_EXISTS' },
  ]
  for (const scenario of scenarios) {
    await play(t, gateway.port, { method: 'POST', path: indexes, headers: account.user, ...scenario })
  }
  const rejected = await put(`${indexes}/g`, { alias: true })
  t.like(rejected, { status: 400, json: { name: 'VALIDATION_FAILED' } })
  t.is((await put(`${indexes}/g`, { guard: false, filtering: true })).status, 200)
})

test('a pointer that finds nothing is accepted with a warning, also in a dry run', async (t) => {
  const { indexes } = await listOf({ tags: ['a'] })
  const body = { pathName: 'i', pointer: '/tags/*', searching: true }
  const warnings = ['In the pointer "*" is the name of a property: a JSON Pointer has no wildcards.']
  t.like(await post(`${indexes}?dryRun=true`, body), { status: 200, json: { missing: 1, warnings } })
  t.like(await post(indexes, body), { status: 201, json: { pointer: '/tags/*', warnings } })
  t.like(await put(`${indexes}/i`, { pointer: '/tags/-' }), { status: 200, json: { warnings: { length: 1 } } })
  const quiet = [
    await put(`${indexes}/i`, { sorting: true }),
    await put(`${indexes}/i`, { pointer: '/tags/0', searching: false }),
    await post(`${indexes}?dryRun=true`, { pathName: 'j', pointer: '/j' }),
    await ask({ path: `${indexes}/i` }),
  ]
  for (const { status, json } of quiet) t.deepEqual([status, Object.hasOwn(Object(json), 'warnings')], [200, false])
})

test('a readonly list rejects every change of its indexes', async (t) => {
  const { path, indexes } = await listOf()
  await post(indexes, { pathName: 'i', pointer: '/i' })
  await put(path, { readonly: true })
  const calls: Call[] = [
    { method: 'POST', path: indexes, body: { pathName: 'j', pointer: '' } },
    { method: 'PUT', path: `${indexes}/i`, body: { name: 'x' } },
    { method: 'DELETE', path: `${indexes}/i` },
  ]
  for (const request of calls) t.like(await ask(request), { status: 409, json: { name: 'LIST_READONLY' } })
  t.is((await ask({ path: `${indexes}/i` })).status, 200)
})

test('a list has at most 50 indexes', async (t) => {
  const { indexes } = await listOf()
  for (let n = 0; n < 50; n++) await post(indexes, { pathName: `i${n}`, pointer: '' })
  t.like(await post(indexes, { pathName: 'more', pointer: '' }), {
    status: 403,
    json: { name: 'MAX_INDEXES_EXCEEDED', code: 10_022, details: { limit: 'maxIndexesPerList', max: 50 } },
  })
  t.is((await put(`${indexes}/i0`, { name: 'x' })).status, 200)
})

test('every change is an event of the index, and increases the settings version of its list', async (t) => {
  const { indexes, path } = await listOf()
  const { json } = await post(indexes, { pathName: 'i', pointer: '' })
  await put(`${indexes}/i`, { name: 'x' })
  const { json: page } = await ask({ path: `${indexes}/i/events?includeSnapshot=true` })
  const entries = Object(page).data as { type: string; snapshot: { name: string } }[]
  t.deepEqual(
    entries.map(({ type, snapshot }) => [type, snapshot.name]),
    [
      ['index-updated', 'x'],
      ['index-created', 'i'],
    ],
  )
  t.is((await ask({ method: 'DELETE', path: `${indexes}/i` })).status, 204)
  t.like(await ask({ path: `${indexes}/i` }), { status: 404 })
  const last = await gateway.deps.db.get('select type from events where model_id = ? order by id desc limit 1', [
    json?.id,
  ])
  t.deepEqual(last, { type: 'index-deleted' })
  const list = await gateway.deps.db.get('select config_version from lists where path_key = ?', [
    path.slice('/lists/'.length),
  ])
  t.is(Number(list?.config_version), 4)
})

test('an alias index that is not activated is not used, but its values stay correct', async (t) => {
  const { indexes, items } = await listOf()
  await post(indexes, { pathName: 'slug', pointer: '/slug', alias: true })
  await post(items, { data: { slug: 'soup' } })
  await put(`${indexes}/slug`, { activated: false })
  t.is((await ask({ path: `${items}/soup` })).status, 404)
  t.is((await post(items, { data: { slug: 'soup' } })).status, 409)
  await put(`${indexes}/slug`, { activated: true })
  t.is((await ask({ path: `${items}/soup` })).status, 200)
})

test('an index of a scope keeps the tag of the scope', async (t) => {
  const { indexes } = await listOf()
  const { json } = await post(indexes, { pathName: 'i', pointer: '', tags: ['A'] })
  const { db } = gateway.deps
  await db.run('update indexes set scope = ?, tags = ? where id = ?', ['App', '["a","app"]', json?.id])
  await modifyList(db, String((await db.get('select list_id from indexes where id = ?', [json?.id]))?.list_id), {
    description: 'x',
  })
  t.like(await put(`${indexes}/i`, { tags: ['b'] }), { status: 200, json: { tags: ['b', 'app'], scope: 'App' } })
})
