import test from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity, type TestSession } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>
let ada: TestSession

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...listRoutes, ...indexRoutes, ...itemRoutes, ...itemDataRoutes] })
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
  ada = await makeIdentity(gateway.deps.db, { accountId: account.accountId, name: 'Ada' })
})

const ask = (request: Call) => call(gateway.port, { ...request, headers: { ...token, ...request.headers } })
const ifNoneMatch = (path: string, tags: string, headers = token) =>
  ask({ path, headers: { ...headers, 'if-none-match': tags } })

/** A new list with one item. */
async function create(data: unknown = { slug: 'a', b: [1], secret: 2 }): Promise<{ list: string; item: string }> {
  const pathName = `list-${newId()}`
  const indexes = [{ pathName: 'slug', pointer: '/slug', alias: true }]
  await addList(gateway.deps.db, account.accountId, { pathName, indexes })
  const list = `/lists/${pathName}`
  const created = await ask({ method: 'POST', path: `${list}/items`, body: { data } })
  return { list, item: `${list}/items/${created.json?.id}` }
}

const etagOf = ({ headers }: Reply) => String(headers.etag)
/** The headers by which a cache decides whether it stores an answer, and for whom. */
const caching = ({ headers }: Reply) => [headers['cache-control'], headers.vary]
const privately = ['private, no-cache', 'authorization, cookie, x-api-token, x-identity-token, x-identity-group']

type Place = (created: { list: string; item: string }) => string
const tagged: Record<string, Place> = {
  'an item': ({ item }) => item,
  'an item by its alias, without data': ({ list }) => `${list}/items/a?includeData=false`,
  'an earlier version': ({ item }) => `${item}?version=1.0.0`,
  'the data of an item': ({ item }) => `${item}/data`,
  'a value': ({ item }) => `${item}/data/b/0`,
  'the settings of a list': ({ list }) => list,
  'an index': ({ list }) => `${list}/indexes/slug`,
}
/** Answers whose etag is a hash of their content, and is sent only on request. */
const onRequest: Record<string, Place> = {
  'a page of items': ({ list }) => `${list}/items?includeData=true`,
  'a page of values': ({ list }) => `${list}/items/data/b?after=`,
  'a page of lists': ({ list }) => `/lists?pathName=eq:${list.slice('/lists/'.length)}`,
}

for (const [what, place] of Object.entries({ ...tagged, ...onRequest })) {
  test(`${what} is 304 while it is unchanged, to GET and HEAD, and 200 with another etag after that`, async (t) => {
    const created = await create()
    const path = place(created)
    const first = await ifNoneMatch(path, '""')
    const etag = etagOf(first)
    t.deepEqual([first.status, ...caching(first)], [200, ...privately])
    for (const tags of [etag, `W/${etag}`, `"x", , ${etag},`, `W/"x",W/${etag}`, '*']) {
      const kept = await ifNoneMatch(path, tags)
      t.deepEqual([kept.status, kept.text, etagOf(kept), ...caching(kept)], [304, '', etag, ...privately], tags)
    }
    const head = await ask({ method: 'HEAD', path, headers: { 'if-none-match': etag } })
    t.deepEqual([head.status, etagOf(head)], [304, etag])
    for (const tags of ['"x"', `"x${etag.slice(1)}`, '"1-"']) t.is((await ifNoneMatch(path, tags)).status, 200, tags)
    await ask({ method: 'PUT', path: created.item, body: { data: { slug: 'a', b: [2] }, tags: ['t'] } })
    await ask({ method: 'PUT', path: created.list, body: { description: newId() } })
    await ask({ method: 'PUT', path: `${created.list}/indexes/slug`, body: { description: newId() } })
    if (path.includes('version=')) return
    const changed = await ifNoneMatch(path, etag)
    t.is(changed.status, 200)
    t.not(etagOf(changed), etag)
  })

  test(`${what} is 412 for a failed if-match, which is evaluated first`, async (t) => {
    const path = place(await create())
    const etag = etagOf(await ifNoneMatch(path, '""'))
    const answerTo = async (ifMatch: string, more = {}) => {
      const { status, json } = await ask({ path, headers: { 'if-match': ifMatch, ...more } })
      return status >= 400 ? `${status} ${json?.name}` : String(status)
    }
    t.is(await answerTo(`"x",, ${etag}`), '200')
    t.is(await answerTo('*'), '200')
    t.regex(await answerTo('"x"'), /^412 (ITEM_)?PRECONDITION_FAILED$/)
    t.regex(await answerTo(`W/${etag}`), /^412 /)
    t.regex(await answerTo('"x"', { 'if-none-match': etag }), /^412 /)
    t.is(await answerTo(etag, { 'if-none-match': etag }), '304')
  })
}

test('a response always has its etag, a page has none and no cache may keep it', async (t) => {
  const created = await create()
  for (const [what, place] of Object.entries(tagged)) {
    const plain = await ask({ path: place(created) })
    t.is(etagOf(plain), etagOf(await ifNoneMatch(place(created), '"x"')), what)
    t.deepEqual(caching(plain), privately, what)
  }
  for (const place of Object.values(onRequest)) {
    const plain = await ask({ path: place(created) })
    t.deepEqual([plain.headers.etag, ...caching(plain)], [undefined, 'no-store', undefined])
  }
})

test('HEAD has the headers of GET', async (t) => {
  const created = await create()
  for (const [what, place] of Object.entries({ ...tagged, ...onRequest })) {
    const headersTo = async (method: string) => {
      const { date: _date, 'x-request-id': _id, ...headers } = (await ask({ method, path: place(created) })).headers
      return headers
    }
    t.deepEqual(await headersTo('HEAD'), await headersTo('GET'), what)
  }
})

test('a write accepts the etag of a read, in the body and in the header, while the item is unchanged', async (t) => {
  const { item } = await create()
  const read = await ask({ path: `${item}/data/b` })
  const put = (ifMatch: string) =>
    ask({
      method: 'PUT',
      path: `${item}/data/b`,
      body: '2',
      headers: { 'if-match': ifMatch, 'content-type': 'application/json' },
    })
  const written = await put(`"x",, ${etagOf(read)}`)
  t.deepEqual([written.status, written.headers.etag, written.json?.etag], [200, '"2"', '"2"'])
  t.is((await put(etagOf(read))).status, 412)
  t.is((await put(String(written.json?.etag))).status, 200)
  t.is((await put(`W/${etagOf(await ask({ path: item }))}`)).status, 412)
})

test('no cache may keep the answer to a write', async (t) => {
  const { item } = await create()
  t.deepEqual(caching(await ask({ method: 'PUT', path: item, body: { description: 'd' } })), ['no-store', undefined])
})

test('the etag of a revision matches a read only with if-match', async (t) => {
  const { item } = await create()
  t.is((await ask({ path: item, headers: { 'if-match': '"1"' } })).status, 200)
  t.is((await ask({ path: item, headers: { 'if-match': '"2"' } })).status, 412)
  t.is((await ifNoneMatch(item, '"1"')).status, 200)
})

test('a condition that is sent as two headers is one list', async (t) => {
  const { item } = await create()
  const etag = etagOf(await ask({ path: item }))
  const headers = [...Object.entries(token).flat(), 'if-none-match', '"x"', 'If-None-Match', etag]
  t.is((await call(gateway.port, { path: item, headers })).status, 304)
})

test('another view of an item has another etag', async (t) => {
  const { item } = await create()
  const paths = [
    '',
    '?includeData=false',
    '?fields=/b',
    '?fields=/a',
    '?path=$.b',
    '/data',
    '/data/b',
    '/data?fields=/b',
  ]
  const etags = await Promise.all(paths.map(async (more) => etagOf(await ask({ path: `${item}${more}` }))))
  t.is(new Set(etags).size, paths.length, etags.join())
})

test('a new guard changes the etag, and so does the right to see the guarded value', async (t) => {
  const { list, item } = await create()
  const [before, asUser] = [
    etagOf(await ask({ path: item })),
    await call(gateway.port, { path: item, headers: account.user }),
  ]
  t.is(etagOf(asUser), before)
  await ask({ method: 'POST', path: `${list}/indexes`, body: { name: 'secret', pointer: '/secret', guard: true } })
  for (const path of [item, `${item}/data`]) {
    const guarded = await ifNoneMatch(path, before)
    t.is(guarded.status, 200)
    t.false(guarded.text.includes('secret'))
    const open = await call(gateway.port, { path, headers: { ...account.user, 'if-none-match': etagOf(guarded) } })
    t.is(open.status, 200)
    t.true(open.text.includes('"secret":2'))
  }
})

test('an owner gets another etag with its guarded values, and a new name of the owner changes the etag', async (t) => {
  const { list } = await create()
  await ask({ method: 'POST', path: `${list}/indexes`, body: { name: 'secret', pointer: '/secret', guard: true } })
  const owner = { ...token, ...ada.headers }
  const created = await ask({ method: 'POST', path: `${list}/items`, headers: owner, body: { data: { secret: 1 } } })
  const item = `${list}/items/${created.json?.id}`
  const path = `${item}?includeGuarded=true`
  const [own, others] = [await ask({ path, headers: owner }), await ask({ path })]
  t.true(own.text.includes('"secret":1'))
  t.false(others.text.includes('"secret":1'))
  t.not(etagOf(own), etagOf(others))
  const kept = etagOf(await ask({ path: item }))
  t.is((await ifNoneMatch(item, kept)).status, 304)
  await gateway.deps.db.run('update identities set display_name = ? where id = ?', ['Another', ada.identityId])
  const renamed = await ifNoneMatch(item, kept)
  t.like(renamed, { status: 200, json: { etag: '"1"', identity: { displayName: 'Another' } } })
})

test('another item of the same revision under the same alias has another etag', async (t) => {
  const { list, item } = await create()
  const paths = [`${list}/items/a`, `${list}/items/a/data`]
  const kept = await Promise.all(paths.map(async (path) => etagOf(await ask({ path }))))
  await ask({ method: 'DELETE', path: item })
  await ask({ method: 'POST', path: `${list}/items`, body: { data: { slug: 'a', b: [1], secret: 2 } } })
  for (const [n, path] of paths.entries()) t.is((await ifNoneMatch(path, String(kept[n]))).status, 200, path)
})

test('a read that is 304 is logged as such, and counts like any other', async (t) => {
  const { item } = await create()
  const limited = await account.token()
  const { 'x-api-token': value } = limited
  await gateway.deps.db.run('update tokens set rate_limit = 2 where token_hash = ?', [tokenHash(String(value))])
  const etag = etagOf(await ask({ path: item }))
  const statuses: number[] = []
  for (const method of ['GET', 'HEAD', 'GET']) {
    const reply = await call(gateway.port, { method, path: item, headers: { ...limited, 'if-none-match': etag } })
    statuses.push(reply.status)
    const line = gateway.logged().find(({ requestId }) => requestId === reply.headers['x-request-id'])
    t.like(line, { event: 'request.completed', method, status: reply.status, route: '/lists/{list}/items/{item}' })
  }
  t.deepEqual(statuses, [304, 304, 429])
})

test('a condition hides no error, and is ignored for a caller that may not read', async (t) => {
  const { item } = await create()
  const nothing = await ifNoneMatch(`${item}/data/nothing`, '*')
  t.is(nothing.json?.name, 'POINTER_NOT_FOUND')
  const other = await account.token([{ mode: 'allow', action: 'view', resourceType: 'list' }])
  t.is((await call(gateway.port, { path: item, headers: { ...other, 'if-none-match': '*' } })).status, 403)
})
