import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { createIds } from '#shared/crypto/ids.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { IndexValue } from '#shared/domain/item/index-value.ts'
import { maxPayloadDataBytes } from '#shared/domain/limits.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
const now = Date.UTC(2026, 2, 1, 10, 20, 30, 4)
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  const env = { LISTD_ITEMS_MAX_BYTES: String(2 ** 21) }
  const adapt = (deps: TestGateway['deps']) => ({ ...deps, now: () => now, newId: createIds(() => now) })
  gateway = await startGateway(cleanup, { routes: [...itemRoutes, ...listRoutes], env, adapt })
  account = await makeAccount(gateway.deps.db)
  await gateway.deps.db.run('update sessions set expires_at = ?', [now * 2])
  await makeWebhook(gateway.deps.db, account)
  await addList(gateway.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const items = '/lists/recipes/items'
/** Creates an item with this data, character for character. */
const send = (data: string) =>
  ask({
    method: 'POST',
    path: items,
    body: `{"data":${data}}`,
    headers: { ...account.user, 'content-type': 'application/json' },
  })

/** Different texts; some collation or normalization would treat each as equal to its neighbor. */
const soups = ['soup', 'Soup', 'soup ', ' soup', 'soúp', 'sou\u0301p', 'soup\u00a0', 'ſoup', '🥣', '🥣\ufe0f', '𝒮oup']

const megabyte = 'é🥣x'.repeat(150_000)
const texts: Record<string, string> = {
  'numbers that do not fit in a double': '[9007199254740993,12345678901234567890,1e400,-1e-400,1.50,-0,0.1e1]',
  'keys in their order, numbers among them': '{"b":1,"10":2,"2":3,"a":4,"":5}',
  'the key __proto__': '{"__proto__":{"x":1},"constructor":2}',
  'an escaped U+0000': '{"a":"x\\u0000y","\\u0000":1}',
  'escapes as they were written': '["\\u00e9","é","\\/","/","\\ud83e\\udd63","🥣"]',
  'characters of four bytes': `{"🥣":"𝒮 𐍈 ${'🥣'.repeat(1000)}"}`,
  'question marks and backslashes': '{"?":"? $1 ?? :a %s \\\\ \\" \' \\\\0 \\n"}',
  'a megabyte': JSON.stringify(megabyte),
}

for (const [claim, data] of Object.entries(texts)) {
  test(`data stays as it was written: ${claim}`, async (t) => {
    const created = await send(data)
    t.is(created.status, 201)
    const read = await ask({ path: `${items}/${created.json?.id}` })
    t.true(read.text.includes(`"data":${data}`))
    t.is(read.json?.size, Buffer.byteLength(data))
    const { db } = gateway.deps
    const event = await db.get<{ id: string; snapshot: string }>('select id, snapshot from events where model_id = ?', [
      created.json?.id,
    ])
    t.true(event?.snapshot.includes(`"data":${data}`))
    const payload = await db.get<{ body: string }>('select body from event_payloads where event_id = ?', [event?.id])
    // A payload omits data beyond its size bound.
    const sent = data.length > maxPayloadDataBytes ? '"dataOmitted":true' : `"data":${data}`
    t.true(payload?.body.includes(sent))
  })
}

test('an alias is exact: case, accents, spaces and Unicode forms distinguish items', async (t) => {
  for (const slug of soups) t.is((await send(JSON.stringify({ slug }))).status, 201, slug)
  for (const slug of soups) {
    t.is((await send(JSON.stringify({ slug }))).json?.name, 'ITEM_ALIAS_TAKEN', slug)
    const read = await ask({ path: `${items}/${encodeURIComponent(slug)}` })
    t.deepEqual(read.json?.data, { slug })
  }
})

test('names of lists are stored unchanged; filters and order ignore only case and form', async (t) => {
  const names = ['Suppe', 'SUPPE', 'Süppe', 'Su\u0308ppe', 'Straße', 'STRASSE', 'suppe ', '🥣', '🥤', '\uffee', 'z']
  for (const [n, name] of names.entries()) {
    const { status } = await ask({ method: 'POST', path: '/lists', body: { name, pathName: `names-${n}` } })
    t.is(status, 201, name)
  }
  const found = async (query: string) => {
    const { json } = await ask({ path: `/lists?pathName=names-&limit=100&order=name&${query}` })
    return (Object(json).data as { name: string }[]).map(({ name }) => name)
  }
  const named = (filter: string) => found(`direction=asc&name=${encodeURIComponent(filter)}`)
  t.deepEqual((await named('eq:suppe')).toSorted(), ['SUPPE', 'Suppe'])
  t.deepEqual((await named('eq:SÜPPE')).toSorted(), ['Su\u0308ppe', 'Süppe'])
  t.deepEqual((await named('in:strasse,z')).toSorted(), ['STRASSE', 'Straße', 'z'])
  t.deepEqual(await named('starts:🥣'), ['🥣'])
  t.deepEqual((await named('pe')).length, 5)
  t.deepEqual(await named('%'), [])
  t.deepEqual(await named('_'), [])
  // By code points: U+FFEE before the emojis, which UTF-16 puts first.
  t.deepEqual((await found('direction=asc')).slice(-6), ['Süppe', 'Su\u0308ppe', 'z', '\uffee', '🥣', '🥤'])
  t.deepEqual((await found('direction=desc')).slice(0, 4), ['🥤', '🥣', '\uffee', 'z'])
})

test('a filter treats an alias as text, whatever its type', async (t) => {
  const slugs = ['Grütze', 'gru\u0308tze', 'GRÜTZE ', 'Grut\u0000ze', '🍮 pudding']
  for (const slug of slugs.toSpliced(3, 1)) t.is((await send(JSON.stringify({ slug }))).status, 201)
  const found = async (alias: string) => {
    const { json } = await ask({ path: `${items}?limit=100&includeData=true&alias=${encodeURIComponent(alias)}` })
    return (Object(json).data as { data: { slug: string } }[]).map(({ data }) => data.slug).toSorted()
  }
  t.deepEqual(await found('eq:grütze'), ['Grütze', 'gru\u0308tze'].toSorted())
  t.deepEqual(await found('starts:GRÜT'), ['GRÜTZE ', 'Grütze', 'gru\u0308tze'].toSorted())
  t.deepEqual(await found('🍮'), ['🍮 pudding'])
  t.deepEqual(await found('%'), [])
})

test('U+0000 in a path, a filter or a cursor finds nothing or is rejected', async (t) => {
  for (let n = 0; n < 2; n++) await send('1')
  const page = await ask({ path: `${items}?limit=1&after=` })
  const [key, id, issuedFor] = JSON.parse(Buffer.from(String(page.json?.next), 'base64url').toString())
  const cursor = (text: string) => Buffer.from(`[${text},"${issuedFor}"]`).toString('base64url')
  const expected: [path: string, status: number][] = [
    ['/lists/recipes%00', 404],
    [`${items}/soup%00`, 404],
    ['/lists/%00/items', 404],
    ['/lists?name=%00', 200],
    ['/lists?pathName=in:%00,x', 200],
    [`${items}?alias=%00`, 200],
    [`${items}?alias=starts:%00`, 200],
    [`${items}?identityId=%00`, 400],
    [`${items}?identityId=${testId()}`, 200],
    [`${items}?tagged=a%00`, 400],
    [`/lists?tagged=%00`, 400],
    [`${items}?limit=1&after=${cursor(`${key},"${id}"`)}`, 200],
    [`${items}?limit=1&after=${cursor(`${key},"\\u0000"`)}`, 400],
    [`${items}?limit=1&after=${cursor(`1e400,"${id}"`)}`, 400],
  ]
  const answers = await Promise.all(expected.map(async ([path]) => [path, (await ask({ path })).status]))
  t.deepEqual(answers, expected)
})

test('times are stored to the millisecond', async (t) => {
  const created = await send('1')
  t.is(created.json?.createdAt, '2026-03-01T10:20:30.004Z')
  const { db } = gateway.deps
  const row = await db.get('select created_at, updated_at from items where id = ?', [created.json?.id])
  t.deepEqual(row, { created_at: now, updated_at: now })
})

test('index values are stored: keys of every character', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const value = (text: string, n: number): IndexValue => ({
    indexId: `index-${String(n).padStart(3, '0')}`,
    orderKey: text,
    filterKey: text,
    aliasText: null,
  })
  const itemId = testId()
  const after = { ...testItem(at, itemId, 1), createdAt: now, revision: 2 ** 53 - 1 }
  await committer.commit(itemChange(at, { itemId, after, indexValues: soups.map(value) }))
  const rows = await db.all('select order_key, filter_key from index_values order by index_id')
  t.deepEqual(
    rows,
    soups.map((text) => ({ order_key: text, filter_key: text })),
  )
  t.deepEqual(await db.get('select created_at, revision from items'), { created_at: now, revision: 2 ** 53 - 1 })
})
