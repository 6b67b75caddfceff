import test from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { itemSearchRoutes } from '#services/gateway/resources/items/search/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  const routes = [...listRoutes, ...indexRoutes, ...itemRoutes, ...itemBatchRoutes, ...itemSearchRoutes]
  gateway = await startGateway(cleanup, { routes })
})

test.beforeEach(async () => {
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const path = '/lists/recipes'
const indexes = [
  { pathName: 'title', pointer: '/title', searching: true },
  { pathName: 'secret', pointer: '/secret', guard: true },
]
const allow = (action: PermissionRule['action'], more: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  ...more,
})

async function create(data: unknown, headers: Credentials = account.user, more: object = {}): Promise<string> {
  const created = await ask({ method: 'POST', path: `${path}/items`, headers, body: { data, ...more } })
  if (created.status !== 201) throw new Error(created.text)
  return String(created.json?.id)
}

type Result = { relevance: number; id?: string; item?: { id: string; data: unknown } }

async function search(query: string, headers: Credentials = account.user): Promise<Result[]> {
  const { status, text } = await ask({ path: `${path}/search?query=${query}`, headers })
  if (status !== 200) throw new Error(text)
  return JSON.parse(text)
}
const idsOf = (results: readonly Result[]) => results.map(({ id, item }) => id ?? item?.id)

test.serial('items are found by words of all searching indexes, best first, as ids or as items', async (t) => {
  await addList(gateway.deps.db, account.accountId, { indexes })
  const soup = await create({ title: 'Tomato soup', secret: 'canary' })
  const twice = await create({ title: 'Crème Éclair, éclair' })
  const long = await create({ title: 'An eclair with a very long name, and more' })
  t.deepEqual(idsOf(await search('eclair')), [twice, long])
  t.deepEqual(idsOf(await search('soup%20eclair%20none')), [soup, twice, long])
  t.deepEqual(await search('secret%20canary'), [])
  const token = await account.token()
  const [found] = await search('tomato&includeItems=true', token)
  t.like(found, { item: { id: soup, data: { title: 'Tomato soup' }, etag: '"1"' } })
  const [own] = await search('tomato&includeItems=1')
  t.deepEqual(own?.item?.data, { title: 'Tomato soup', secret: 'canary' })
  t.is((await ask({ method: 'DELETE', path: `${path}/items/${soup}` })).status, 200)
  t.deepEqual(await search('tomato'), [])
  const operations = [
    { op: 'create', data: { title: 'Soup of the day' } },
    { op: 'update', item: long, data: { title: 'Soup' } },
  ]
  await ask({ method: 'POST', path: `${path}/items/batch`, body: { operations } })
  const [short] = await search('soup')
  t.is(short?.id, long)
})

test.serial('the last word may be a prefix, and every word may be required', async (t) => {
  await addList(gateway.deps.db, account.accountId, { indexes })
  const tomato = await create({ title: 'Tomato soup' })
  const pumpkin = await create({ title: 'Pumpkin soup with souffle' })
  const pie = await create({ title: 'Tomato pie' })
  const found = async (query: string) => idsOf(await search(query)).sort()
  t.deepEqual(await found('sou&prefix=true'), [tomato, pumpkin].sort())
  t.deepEqual(await found('sou'), [])
  t.deepEqual(await found('tomato%20sou%20&prefix=1'), [tomato, pumpkin, pie].sort())
  t.deepEqual(await found('tomato%20sou&prefix=true&match=all'), [tomato])
  t.deepEqual(await found('soup%20tomato&match=all'), [tomato])
  t.deepEqual(await found('soup%20souf&match=all&prefix=true'), [pumpkin])
  t.deepEqual(await found('soup%20none&match=all'), [])
  t.deepEqual(await found('soup%20none&match=any&prefix=false'), [tomato, pumpkin].sort())
  for (const [query, name] of [
    ['soup&match=some', 'match'],
    ['soup&match=', 'match'],
    ['soup&prefix=maybe', 'prefix'],
    ['soup&match=all&match=any', 'match'],
  ] as const) {
    const reply = await ask({ path: `${path}/search?query=${query}` })
    t.is(reply.status, 400, query)
    t.deepEqual(errorPaths(reply), [name], query)
  }
})

test.serial(
  'a search that leaves entries out says so, unless everything that its caller sees was examined',
  async (t) => {
    await addList(gateway.deps.db, account.accountId, { indexes })
    const ada = await makeIdentity(gateway.deps.db, { accountId: account.accountId, name: 'Ada' })
    const all = await account.token()
    const rules = [allow('authenticate'), allow('view-with-identity', { resourceType: 'item' })]
    const own = { ...(await account.token(rules)), ...ada.headers }
    const words = Array.from({ length: 101 }, (_, n) => `soup${n + 100}`)
    await create({ title: words.join(' ') })
    const behind = await create({ title: 'souq' }, { ...all, ...ada.headers })
    const asked = { path: `${path}/search?query=sou&prefix=true` }
    const cut = await ask(asked)
    t.is(cut.headers['x-search-truncated'], 'true')
    t.regex(cut.headers['access-control-expose-headers'] ?? '', /\bx-search-truncated\b/)
    const whole = await ask({ ...asked, headers: own })
    t.deepEqual(idsOf(JSON.parse(whole.text)), [behind])
    t.is(whole.headers['x-search-truncated'], undefined)
    t.is((await ask({ path: `${path}/search?query=souq` })).headers['x-search-truncated'], undefined)
  },
)

test.serial(
  'a list without such an index cannot be searched, and one that gets it can once its words are built',
  async (t) => {
    await addList(gateway.deps.db, account.accountId)
    const soup = await create({ title: 'Soup' })
    const doors = ['search?query=soup', 'items?search=soup', `items?where=${encodeURIComponent('{"search":"soup"}')}`]
    for (const door of doors) {
      t.like(await ask({ path: `${path}/${door}` }), { status: 400, json: { name: 'INDEX_NOT_USABLE' } }, door)
    }
    await ask({ method: 'POST', path: `${path}/indexes`, body: { ...indexes[0] } })
    const viewer = await account.token([allow('view')])
    for (const door of doors) {
      const building = await ask({ path: `${path}/${door}` })
      const details = { index: 'title', done: 0, total: 1 }
      t.like(building, { status: 409, json: { name: 'INDEX_BUILDING', details } })
      t.regex(building.headers['retry-after'] ?? '', /^\d+$/)
      t.deepEqual(Object((await ask({ path: `${path}/${door}`, headers: viewer })).json).details, { index: 'title' })
    }
    await runBuilds(gateway.deps.db)
    t.deepEqual(idsOf(await search('soup')), [soup])
    t.like(await ask({ path: `${path}/items?search=soup` }), { json: { total: 1 } })
    for (const body of [{ activated: false }, { activated: true, searching: false }]) {
      await ask({ method: 'PUT', path: `${path}/indexes/title`, body })
      t.like(await ask({ path: `${path}/search?query=soup` }), { status: 400, json: { name: 'INDEX_NOT_USABLE' } })
    }
    await ask({ method: 'PUT', path: `${path}/indexes/title`, body: { guard: true } })
    await runBuilds(gateway.deps.db)
    t.deepEqual(await gateway.deps.db.all('select term from item_terms where item_id = ?', [soup]), [])
  },
)

test.serial('search results do not depend on items that the caller does not see', async (t) => {
  await addList(gateway.deps.db, account.accountId, { indexes })
  const ada = await makeIdentity(gateway.deps.db, { accountId: account.accountId, name: 'Ada' })
  const all = await account.token()
  const rules = [allow('authenticate'), allow('view-with-identity', { resourceType: 'item' })]
  const own = { ...(await account.token(rules)), ...ada.headers }
  const viewer = await account.token([allow('view', { resourceType: 'item' })])
  const soup = await create({ title: 'Soup of the day' }, { ...all, ...ada.headers })
  const stew = await create({ title: 'Stew' }, { ...all, ...ada.headers })
  const before = await search('soup%20stew', own)
  const drafts = await search('draft%20soup', viewer)
  t.deepEqual(idsOf(before), [stew, soup])
  for (let n = 0; n < 15; n++) await create({ title: n % 2 ? 'Soup' : 'stew and stew '.repeat(9) })
  t.deepEqual(await search('soup%20stew', own), before)
  t.true(idsOf(await search('soup')).every((id) => id !== stew))
  await ask({ method: 'PUT', path: `${path}/items/${soup}`, body: { activated: false } })
  t.deepEqual(idsOf(await search('soup%20stew', own)), [stew])
  t.deepEqual(idsOf(drafts), [soup])
  t.true(idsOf(await search('day')).includes(soup), 'a user sees drafts')
})

test.serial('a token that may not list the items cannot search them', async (t) => {
  await addList(gateway.deps.db, account.accountId, { indexes })
  await create({ title: 'Soup' })
  const headers = await account.token()
  const lists = await account.token([allow('view', { resourceType: 'list' })])
  t.like(await ask({ path: `${path}/search?query=soup`, headers: lists }), {
    status: 403,
    json: { name: 'TOKEN_NOT_AUTHORIZED' },
  })
  await ask({ method: 'PUT', path, body: { indexable: false } })
  t.like(await ask({ path: `${path}/search?query=soup`, headers }), {
    status: 403,
    json: { name: 'TOKEN_NOT_AUTHORIZED' },
  })
  t.is((await search('soup')).length, 1)
  await ask({ method: 'PUT', path, body: { indexable: true, activated: false } })
  t.like(await ask({ path: `${path}/search?query=soup`, headers }), { status: 404 })
})

test.serial('a bad query is reported by its parameter', async (t) => {
  await addList(gateway.deps.db, account.accountId, { indexes })
  const bad = [
    '',
    '?query=',
    '?query=ab',
    `?query=${'a'.repeat(101)}`,
    '?query=a%20b%20c%20d%20e%20f',
    '?query=!!!',
    '?query=soup&query=stew',
    '?query=%ED%A0%80abc',
  ]
  for (const query of [...bad, `?query=${'a'.repeat(10_000)}`]) {
    const reply = await ask({ path: `${path}/search${query}` })
    t.like(reply, { status: 400, json: { name: 'VALIDATION_FAILED' } }, query)
    t.deepEqual(errorPaths(reply), ['query'], query)
  }
  const unknown = await ask({ path: `${path}/search?query=soup&includeItem=true` })
  t.regex(unknown.text, /includeItems/)
})
