import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity, type TestSession } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let ada: TestSession
const ids: string[] = []

/** Items in the order of their creation; Ada owns the third one. */
const items: Record<string, unknown>[] = [
  { data: { slug: 'Soup', n: 12345678901234567890n }, tags: ['red', 'hot'] },
  { data: { slug: 'Salad' }, tags: ['red'], readonly: true },
  { data: { slug: 'Straße' }, tags: ['hot'] },
  { data: { slug: 'pie', long: 'x'.repeat(50) }, activated: false },
  { data: { nothing: null } },
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...listRoutes, ...itemRoutes] })
  const { db } = gateway.deps
  account = await makeAccount(db)
  ada = await makeIdentity(db, { accountId: account.accountId, name: 'Ada' })
  const indexes = [
    { pathName: 'slug', pointer: '/slug', alias: true },
    { pathName: 'minutes', pointer: '/minutes', valueType: 'number' },
  ]
  await addList(db, account.accountId, { indexes })
  const token = await account.token()
  for (const [n, item] of items.entries()) {
    const { data, ...fields } = item
    const text = JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? `#${value}#` : value))
    const body = `{"data":${text.replace(/"#(\d+)#"/, '$1')},${JSON.stringify(fields).slice(1)}`.replace(',}', '}')
    const headers = { ...(n === 2 ? { ...token, ...ada.headers } : account.user), 'content-type': 'application/json' }
    const { status, text: answer, json } = await call(gateway.port, { method: 'POST', path, headers, body })
    if (status !== 201) throw new Error(answer)
    ids.push(String(json?.id))
    await db.run('update items set created_at = ?, updated_at = ? where id = ?', [n, 9 - n, String(json?.id)])
    await db.run('update item_tags set created_at = ? where item_id = ?', [n, String(json?.id)])
  }
})

const path = '/lists/recipes/items'
const ask = (request: Partial<Call> = {}) => call(gateway.port, { path, headers: account.user, ...request })
const shown = ({ json }: Reply) =>
  (Object(json).data as { id: string }[]).map(({ id }) => String(ids.indexOf(id))).join('')

/** Queries, and the items that each shows, as positions in the order of their creation. */
const listings: [query: string, shown: string, total?: number][] = [
  ['', '43210'],
  ['?direction=asc', '01234'],
  ['?order=updatedAt', '01234'],
  ['?order=updatedAt&direction=asc', '43210'],
  ['?order=size', '14203'],
  ['?order=readonly', '14320'],
  ['?order=activated&direction=asc', '30124'],
  ['?readonly=true', '1'],
  ['?readonly=false&order=updatedAt', '0234'],
  ['?activated=false', '3'],
  ['?tagged=red', '10'],
  ['?tagged=RED,hot', '210'],
  ['?tagged=red&tagged=hot', '0'],
  ['?tagged=', '43210'],
  ['?alias=s', '210'],
  ['?alias=eq:STRASSE', '2'],
  ['?alias=starts:s&order=updatedAt', '012'],
  ['?alias=in:soup,pie', '30'],
  ['?alias=nothing', ''],
  ['?alias=', '43210'],
  ['?limit=2&page=2', '21', 5],
  ['?limit=2&page=3', '0', 5],
  ['?limit=2&page=9', '', 5],
]

for (const [query, expected, total = expected.length] of listings) {
  test(`GET …/items${query} shows ${expected || 'nothing'}`, async (t) => {
    const reply = await ask({ path: path + query })
    t.is(reply.status, 200, reply.text)
    t.is(shown(reply), expected)
    t.is(Object(reply.json).total, total)
  })
}

test('items of an identity are found by its id, by every caller who may view them', async (t) => {
  for (const filter of [ada.identityId, `eq:${ada.identityId}`, `in:${newId()},${ada.identityId}`]) {
    t.is(shown(await ask({ path: `${path}?identityId=${filter}` })), '2')
  }
  t.is(shown(await ask({ path: `${path}?identityId=` })), '43210')
  t.is(shown(await ask({ path: `${path}?identityId=${newId()}` })), '')
  for (const filter of ['ada', 'eq:', `in:${ada.identityId},ada`]) {
    const rejected = await ask({ path: `${path}?identityId=${filter}` })
    t.like(rejected.json, { name: 'VALIDATION_FAILED', details: { errors: [{ path: 'identityId' }] } }, filter)
  }
  const grace = await makeIdentity(gateway.deps.db, { accountId: account.accountId, name: 'Grace' })
  const asGrace = { ...(await account.token()), ...grace.headers }
  t.is(shown(await ask({ path: `${path}?identityId=${ada.identityId}`, headers: asGrace })), '2')
  t.like((await ask({ path: `${path}?identityId=${grace.identityId}`, headers: asGrace })).json, { total: 0 })
  const ownOnly = [
    { mode: 'allow' as const, action: 'authenticate' as const },
    { mode: 'allow' as const, action: 'view-with-identity' as const },
  ]
  const sheOnly = { ...(await account.token(ownOnly)), ...grace.headers }
  t.like((await ask({ path: `${path}?identityId=${ada.identityId}`, headers: sheOnly })).json, { total: 0 })
})

test('mine=true finds the items of the identity of the request, and is rejected without one', async (t) => {
  const asAda = { ...(await account.token()), ...ada.headers }
  t.is(shown(await ask({ path: `${path}?mine=true`, headers: asAda })), '2')
  t.like((await ask({ path: `${path}?mine=1&identityId=in:${ada.identityId},${newId()}`, headers: asAda })).json, {
    total: 1,
  })
  t.like((await ask({ path: `${path}?mine=true&identityId=${newId()}`, headers: asAda })).json, { total: 0, data: [] })
  for (const headers of [await account.token(), account.user]) {
    const reply = await ask({ path: `${path}?mine=true`, headers })
    t.deepEqual([reply.status, errorPaths(reply)], [400, ['mine']])
  }
  const reply = await ask({ path: `${path}?mine=false`, headers: asAda })
  t.deepEqual([reply.status, errorPaths(reply)], [400, ['mine']])
})

test('a page has the items as they are read individually, without data unless it is requested', async (t) => {
  const page = await ask({ path: `${path}?limit=1&direction=asc&includeData=true` })
  const single = await ask({ path: `${path}/${ids[0]}` })
  t.is(page.text, `{"page":1,"limit":1,"total":5,"data":[${single.text}]}`)
  t.true(page.text.includes('"n":12345678901234567890'))
  const without = await ask({ path: `${path}?limit=1&direction=asc` })
  t.is(without.text, page.text.replace(/"data":{[^{}]*},/, ''))
  t.false(without.text.includes('12345678901234567890'))
})

test('a walk by cursor shows everything once, even while items are written', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'walk' })
  const at = '/lists/walk/items'
  const created: string[] = []
  for (let n = 0; n < 7; n++) created.unshift(String((await ask({ method: 'POST', path: at, body: {} })).json?.id))
  const walked: string[] = []
  for (let after: unknown = ''; after !== null; ) {
    const reply = await ask({ path: `${at}?limit=2&after=${after}` })
    t.deepEqual(Object.keys(Object(reply.json)), ['limit', 'next', 'data'])
    walked.push(...Object(reply.json).data.map(({ id }: { id: string }) => id))
    after = Object(reply.json).next
    // An item is created before the walk's position, and one that was shown is deleted.
    await ask({ method: 'POST', path: at, body: {} })
    await ask({ method: 'DELETE', path: `${at}/${walked.at(-1)}` })
  }
  t.deepEqual(walked, created)
})

const rejected: [query: string, name: string, path?: string][] = [
  ['?limit=0', 'VALIDATION_FAILED', 'limit'],
  ['?limit=101', 'VALIDATION_FAILED', 'limit'],
  ['?page=0', 'VALIDATION_FAILED', 'page'],
  ['?order=nothing', 'VALIDATION_FAILED', 'order'],
  ['?order=description', 'VALIDATION_FAILED', 'order'],
  ['?order=constructor', 'VALIDATION_FAILED', 'order'],
  ['?direction=sideways', 'VALIDATION_FAILED', 'direction'],
  ['?readonly=maybe', 'VALIDATION_FAILED', 'readonly'],
  ['?after=nonsense', 'VALIDATION_FAILED', 'after'],
  ['?slugs=x', 'VALIDATION_FAILED', 'slugs'],
  [`?tagged=${Array.from({ length: 21 }, (_, n) => `t${n}`)}`, 'VALIDATION_FAILED', 'tagged'],
  ['?order=minutes', 'INDEX_NOT_USABLE'],
  ['?order=Slug', 'INDEX_NOT_USABLE'],
  ['?minutes=5', 'INDEX_NOT_USABLE'],
  ['?MINUTES=lt:5', 'INDEX_NOT_USABLE'],
  ['?index.slug=soup', 'INDEX_NOT_USABLE'],
]

for (const [query, name, error] of rejected) {
  test(`GET …/items${query.slice(0, 40)} is rejected with ${name}`, async (t) => {
    const { status, json } = await ask({ path: path + query })
    t.is(status, 400)
    t.is(json?.name, name)
    if (error) t.is(Object(json).details.errors[0].path, error)
  })
}

test('the error of a filter on an alias index without filtering names the parameter alias', async (t) => {
  const { json } = await ask({ path: `${path}?slug=soup` })
  t.like(json, { name: 'INDEX_NOT_USABLE', details: { index: 'slug' } })
  t.regex(String(json?.message), /"alias"/)
})

test('a cursor of another list, order, direction or filter is rejected', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'elsewhere' })
  const next = Object((await ask({ path: `${path}?limit=1&after=` })).json).next
  t.is((await ask({ path: `${path}?limit=3&includeData=true&after=${next}` })).status, 200)
  for (const other of ['order=updatedAt', 'direction=asc', 'tagged=red', 'activated=true']) {
    t.is((await ask({ path: `${path}?limit=1&after=${next}&${other}` })).status, 400, other)
  }
  t.is((await ask({ path: `/lists/elsewhere/items?limit=1&after=${next}` })).status, 400)
  const forged = Buffer.from(next, 'base64url')
    .toString()
    .replace(/^\[\d+/, '["x"')
  t.is((await ask({ path: `${path}?after=${Buffer.from(forged).toString('base64url')}` })).status, 400)
})

test('the total follows every write', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'counted' })
  const at = '/lists/counted/items'
  const token = await account.token()
  const totals = async () => [
    Object((await ask({ path: at })).json).total,
    Object((await ask({ path: at, headers: token })).json).total,
  ]
  const create = async (body: object) => String((await ask({ method: 'POST', path: at, body })).json?.id)
  const [first, second] = [await create({}), await create({ activated: false })]
  t.deepEqual(await totals(), [2, 1])
  await ask({ method: 'PUT', path: `${at}/${first}`, body: { activated: false } })
  t.deepEqual(await totals(), [2, 0])
  await ask({ method: 'PUT', path: `${at}/${second}`, body: { activated: true, data: 1 } })
  t.deepEqual(await totals(), [2, 1])
  await ask({ method: 'DELETE', path: `${at}/${first}` })
  t.deepEqual(await totals(), [1, 1])
  await Promise.all(Array.from({ length: 30 }, (_, n) => create({ activated: n % 3 > 0 })))
  t.deepEqual(await totals(), [31, 21])
})

test('tags are found in their current state after every change', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'tagged' })
  const at = '/lists/tagged/items'
  const created = await ask({ method: 'POST', path: at, body: { tags: ['Old', 'old', 'kept'] } })
  const found = async (tag: string) => Object((await ask({ path: `${at}?tagged=${tag}` })).json).total
  t.is(await found('old'), 1)
  await ask({ method: 'PUT', path: `${at}/${created.json?.id}`, body: { tags: ['kept', 'new'] } })
  t.deepEqual([await found('old'), await found('kept'), await found('new')], [0, 1, 1])
  await ask({ method: 'DELETE', path: `${at}/${created.json?.id}` })
  t.is(await found('kept'), 0)
})

test('an alias that is a number is filtered as text', async (t) => {
  for (const valueType of ['string', 'number']) {
    const indexes = [{ pathName: 'sku', pointer: '/sku', alias: true, valueType }]
    const pathName = `sku-${valueType}`
    await addList(gateway.deps.db, account.accountId, { pathName, indexes })
    const at = `/lists/${pathName}/items`
    for (const sku of [1234, 99]) await ask({ method: 'POST', path: at, body: { data: { sku } } })
    for (const filter of ['23', 'eq:1234', 'starts:12', 'in:5,1234']) {
      t.is(Object((await ask({ path: `${at}?alias=${filter}` })).json).total, 1, `${valueType} ${filter}`)
    }
  }
})
