import test from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...itemDataRoutes] })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  await addList(gateway.deps.db, account.accountId)
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })

async function create(body: unknown, headers = token) {
  const created = await ask({ method: 'POST', path: '/lists/recipes/items', body, headers })
  return { item: `/lists/recipes/items/${created.json?.id}`, created }
}

test('an earlier version is returned unchanged, byte for byte, with its etag', async (t) => {
  const headers = { ...token, 'content-type': 'application/json' }
  const first = '{"10":1.50,"2":{"n":12345678901234567890}}'
  const { item, created } = await create(`{"data":${first},"tags":["a"],"description":"first"}`, headers)
  await ask({ method: 'PUT', path: item, body: { data: [2], tags: ['b'] } })
  const third = await ask({ method: 'PUT', path: `${item}/data/0`, body: '7.0', headers })
  const earlier = await ask({ path: `${item}?version=1.0.0` })
  t.is(earlier.text, created.text)
  t.is(earlier.json?.etag, '"1"')
  t.regex(String(earlier.headers.etag), /^"1-/)
  const value = await ask({ path: `${item}/data/2/n?version=1.0.0` })
  t.is(value.text, '12345678901234567890')
  t.regex(String(value.headers.etag), /^"1-/)
  t.like((await ask({ path: `${item}?version=1.0.1` })).json, { data: [2], tags: ['b'], description: 'first' })
  t.is((await ask({ path: `${item}?version=1.0.2` })).text, third.text)
  t.false('data' in Object((await ask({ path: `${item}?version=1.0.0&includeData=false` })).json))
})

test('a version that the item never had, or one of another item, is not retained', async (t) => {
  const { item } = await create({ data: 1, version: '2.0.0' })
  for (const version of ['1.0.0', '2.0.1']) {
    for (const path of [item, `${item}/data`]) {
      const read = await ask({ path: `${path}?version=${version}` })
      t.like(read, { status: 404, json: { name: 'ITEM_VERSION_NOT_RETAINED', code: 12107 } })
    }
  }
  for (const version of ['2', '', 'x'])
    t.deepEqual(errorPaths(await ask({ path: `${item}?version=${version}` })), ['version'])
})

test('the last 100 versions are readable', async (t) => {
  const { item } = await create({ data: 0 })
  for (let n = 1; n <= 100; n++) await ask({ method: 'PUT', path: item, body: { data: n } })
  t.is((await ask({ path: `${item}/data?version=1.0.0` })).status, 404)
  t.is((await ask({ path: `${item}/data?version=1.0.1` })).text, '1')
  t.is((await ask({ path: `${item}/data?version=1.0.100` })).text, '100')
})

test('a caller that may not view the item cannot read any version of it', async (t) => {
  const { item } = await create({ data: 1 })
  await ask({ method: 'PUT', path: item, body: { data: 2, activated: false } })
  const read = (headers: Record<string, string>) => call(gateway.port, { path: `${item}?version=1.0.0`, headers })
  const viewer = await account.token([{ mode: 'allow', action: 'view' }])
  t.is((await read(viewer)).json?.name, 'REQUESTED_ENTITY_NOT_FOUND')
  t.like(await read(account.user), { status: 200, json: { data: 1, activated: true } })
})

test('under the rules for owners the data of others is missing', async (t) => {
  const { db } = gateway.deps
  const rules = (['create', 'view', 'update', 'delete'] as const).map((action) => ({
    mode: 'allow' as const,
    action: `${action}-with-identity` as const,
  }))
  const ownersOnly = await account.token([{ mode: 'allow', action: 'authenticate' }, ...rules])
  const ada = { ...ownersOnly, ...(await makeIdentity(db, { accountId: account.accountId })).headers }
  const grace = { ...ownersOnly, ...(await makeIdentity(db, { accountId: account.accountId })).headers }
  const { item } = await create({ data: { a: 1 } }, ada)
  await call(gateway.port, { method: 'PUT', path: `${item}/data`, headers: ada, body: { a: 2 } })
  const calls: Call[] = [
    { path: `${item}/data/a` },
    { path: `${item}/data?version=1.0.0` },
    { method: 'PUT', path: `${item}/data`, body: {} },
    { method: 'POST', path: `${item}/data`, body: {} },
    { method: 'PATCH', path: `${item}/data`, body: [] },
    { method: 'DELETE', path: `${item}/data/a` },
  ]
  for (const request of calls) {
    t.is((await call(gateway.port, { ...request, headers: grace })).status, 404, `${request.method} ${request.path}`)
    t.is((await call(gateway.port, { ...request, headers: ada })).status, request.method === 'DELETE' ? 404 : 200)
  }
  const page = await call(gateway.port, { path: '/lists/recipes/items/data', headers: grace })
  t.like(page.json, { total: 0 })
})
