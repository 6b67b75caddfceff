import test from 'ava'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
const ids: string[] = []

/** Items in the order of their creation. */
const items = [
  { data: { title: 'Pancakes', serves: 4, day: '2026-03-01', limit: 'a', secret: 'canary-9' } },
  { data: { title: 'pan', serves: 10, day: '2026-03-02', limit: 'b', secret: 'canary-1' } },
  { data: { title: 'Waffles', serves: -2.5, day: '2025-01-01' }, tags: ['sweet'] },
  { data: { title: 'Zürich', serves: 4, nested: { a: [1] } }, readonly: true },
  { data: { serves: 'many', day: 'someday' } },
  { data: null, activated: false },
]

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...listRoutes, ...itemRoutes, ...itemDataRoutes, ...indexRoutes] })
  account = await makeAccount(gateway.deps.db)
  const indexes = [
    { pathName: 'title', pointer: '/title', sorting: true, filtering: true },
    {
      pathName: 'serves',
      pointer: '/serves',
      valueType: 'number',
      sorting: true,
      filtering: true,
      defaultOrderDirection: 'desc',
    },
    { pathName: 'day', pointer: '/day', valueType: 'date', sorting: true, filtering: true },
    { pathName: 'limit', pointer: '/limit', sorting: true, filtering: true },
    { pathName: 'plain', pointer: '/plain' },
    { pathName: 'off', pointer: '/off', sorting: true, filtering: true, activated: false },
    { pathName: 'secret', pointer: '/secret', guard: true },
  ]
  await addList(gateway.deps.db, account.accountId, { indexes })
  for (const body of items) {
    const { status, text, json } = await ask({ method: 'POST', body })
    if (status !== 201) throw new Error(text)
    ids.push(String(json?.id))
  }
})

const path = '/lists/recipes/items'
const ask = (request: Partial<Call> = {}) => call(gateway.port, { path, headers: account.user, ...request })
const numbersOf = (rows: { id: string }[]) => rows.map(({ id }) => String(ids.indexOf(id))).join('')
const shown = ({ json }: Reply) => numbersOf(Object(json).data ?? [])

/** Queries, and the items that each shows. Items without a value are last in both directions, ordered by id in that direction. */
const listings: [query: string, shown: string][] = [
  ['order=title', '102345'],
  ['order=title&direction=desc', '320154'],
  ['order=TITLE&limit=3&page=2', '345'],
  ['order=title&limit=2&page=3', '45'],
  ['order=title&limit=100&page=2', ''],
  ['order=serves', '130254'],
  ['order=serves&direction=asc', '203145'],
  ['order=day', '201345'],
  ['order=index.limit&direction=desc', '105432'],
  ['title=PAN', '10'],
  ['title=eq:pan', '1'],
  ['Title=starts:Z%C3%9C', '3'],
  ['title=in:pan,waffles,none', '21'],
  ['title=', '543210'],
  ['serves=4', '30'],
  ['serves=gte:4', '310'],
  ['serves=lt:4', '2'],
  ['serves=gt:-2.5&serves=lt:10', '30'],
  ['serves=4&serves=5', ''],
  ['day=before:2026-03-01', '20'],
  ['day=after:2026-03-01T00:00:00%2B00:00', '10'],
  ['day=eq:2026-03-02', '1'],
  ['day=on:2026-03-01', '0'],
  ['day=lt:2026-03-01', '2'],
  ['day=lte:2026-03-01', '20'],
  ['day=gt:2026-03-01', '1'],
  ['day=gte:2026-03-01', '10'],
  ['day=2026-03-01T01:00:00+01:00', '0'],
  ['index.limit=b', '1'],
  ['index.Title=eq:pan', '1'],
  ['serves=gte:4&order=serves&direction=asc', '031'],
  ['serves=gte:4&title=starts:p&order=title', '10'],
  ['title=a&order=serves', '102'],
  ['title=a&tagged=sweet', '2'],
  ['serves=4&readonly=true', '3'],
  ['serves=4&readonly=false&order=day', '0'],
  ['activated=false&order=title', '5'],
]

for (const [query, expected] of listings) {
  test(`GET …/items?${query} shows ${expected || 'nothing'}, by number and by cursor`, async (t) => {
    const reply = await ask({ path: `${path}?${query}` })
    t.is(shown(reply), expected)
    if (query.includes('page=')) return
    t.is(Object(reply.json).total, expected.length)
    let walked = ''
    for (let after: unknown = ''; after !== null; ) {
      const part = await ask({ path: `${path}?${query}&limit=2&after=${after}` })
      walked += shown(part)
      after = Object(part.json).next
    }
    t.is(walked, expected)
  })
}

const rejected: [query: string, name: string, path?: string][] = [
  ['order=plain', 'INDEX_NOT_USABLE'],
  ['plain=5', 'INDEX_NOT_USABLE'],
  ['index.plain=5', 'INDEX_NOT_USABLE'],
  ['order=secret', 'INDEX_NOT_USABLE'],
  ['secret=canary', 'INDEX_NOT_USABLE'],
  ['order=off', 'INDEX_NOT_USABLE'],
  ['off=1', 'INDEX_NOT_USABLE'],
  ['serves=many', 'VALIDATION_FAILED', 'serves'],
  ['serves=constructor:1', 'VALIDATION_FAILED', 'serves'],
  ['serves=before:1', 'VALIDATION_FAILED', 'serves'],
  ['day=on:2026-01', 'VALIDATION_FAILED', 'day'],
  ['Day=soon', 'VALIDATION_FAILED', 'Day'],
  ['index.none=1', 'VALIDATION_FAILED', 'index.none'],
  [Array.from({ length: 21 }, (_, n) => `serves=lt:${n}`).join('&'), 'VALIDATION_FAILED', 'query'],
  ['order=title&after=WzEsIngiLCJ5Il0', 'VALIDATION_FAILED', 'after'],
]

for (const [query, name, error] of rejected) {
  test(`GET …/items?${query.slice(0, 40)} is rejected with ${name}`, async (t) => {
    const { status, json } = await ask({ path: `${path}?${query}` })
    t.like({ status, json }, { status: 400, json: { name } })
    if (error) t.is(Object(json).details.errors[0].path, error)
  })
}

test('all errors of a query are reported at once, including unknown parameters', async (t) => {
  const query = 'serves=x&day=y&unknown=1&constructor=2&limit=0&order=a&order=b&title=%ff'
  for (const page of [path, `${path}/data`]) {
    const reply = await ask({ path: `${page}?${query}` })
    t.deepEqual(errorPaths(reply), ['constructor', 'day', 'limit', 'order', 'order', 'serves', 'title', 'unknown'])
  }
})

test('an unknown parameter names the most similar one of the route and the list, but no hidden index', async (t) => {
  const messageFor = async (query: string) =>
    Object(await ask({ path: `${path}?${query}` })).json.details.errors[0].message
  t.regex(await messageFor('titel=a'), /did you mean "title"\?$/)
  t.regex(await messageFor('index.Titel=a'), /did you mean "index.title"\?$/)
  t.regex(await messageFor('ident=a'), /it has .*identityId, .* and the path names of the list's indexes$/)
  t.regex(await messageFor('indexFilters[title]=a'), /write it without brackets, as title=…$/)
  t.notRegex(await messageFor('secre=1'), /"secret"/)
  t.notRegex(await messageFor('offf=1'), /"off"/)
})

test('parameters that existing clients send are ignored, unless an index has the name', async (t) => {
  t.is((await ask({ path: `${path}?listId=x&pointer=/a&_t=1` })).status, 200)
})

test('a parameter of the API takes precedence over an index with its name', async (t) => {
  t.is(shown(await ask({ path: `${path}?limit=1` })), '5')
  t.is(shown(await ask({ path: `${path}?limit=1&index.limit=a` })), '0')
})

test('a cursor of another filter or order is rejected', async (t) => {
  const { next } = Object((await ask({ path: `${path}?order=serves&limit=1&after=` })).json)
  t.is((await ask({ path: `${path}?order=serves&limit=3&after=${next}` })).status, 200)
  for (const other of [
    'order=title',
    'order=serves&direction=asc',
    'order=serves&serves=gt:1',
    'order=serves&title=a',
  ]) {
    t.is((await ask({ path: `${path}?${other}&limit=1&after=${next}` })).status, 400, other)
  }
})

test('pages of one value of each item are filtered and ordered in the same way', async (t) => {
  const data = async (query: string, pointer = '') => (await ask({ path: `${path}/data${pointer}?${query}` })).json
  t.like(await data('title=pan&order=title', '/serves'), { total: 2, data: [10, 4] })
  t.like(await data('serves=4&order=title&direction=desc', '/nested/a/0'), { total: 2, data: [1, null] })
  t.like(await data('order=serves&limit=1&after='), { data: [items[1]?.data] })
  t.is(Object(await data('plain=1')).name, 'INDEX_NOT_USABLE')
})

const view = (rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action: 'view',
  resourceType: 'item',
  ...rest,
})

test('a page and its total have exactly the items that the rules let the token view', async (t) => {
  const [first = '', second = '', third = '', fourth = ''] = ids
  const rules: [rules: PermissionRule[], shown: string][] = [
    [[view()], '13024'],
    [[view({ itemIds: [second, third] })], '12'],
    [[view(), view({ mode: 'block', itemIds: [first] })], '1324'],
    [[view({ itemIds: [fourth] }), view({ itemIds: [ids[5] ?? ''] })], '3'],
  ]
  for (const [permissions, expected] of rules) {
    const headers = await account.token(permissions)
    const reply = await ask({ path: `${path}?order=serves`, headers })
    t.is(shown(reply), expected)
    t.is(Object(reply.json).total, expected.length)
    const four = [...expected].filter((n) => '03'.includes(n))
    const filtered = await ask({ path: `${path}?serves=4&order=serves`, headers })
    t.like({ shown: shown(filtered), total: Object(filtered.json).total }, { shown: four.join(''), total: four.length })
  }
})

test('an identity that may view its own items gets those, ordered and filtered by values', async (t) => {
  const { db } = gateway.deps
  await addList(db, account.accountId, {
    pathName: 'owned',
    indexes: [{ pathName: 'n', pointer: '/n', valueType: 'number', sorting: true, filtering: true }],
  })
  const ada = await makeIdentity(db, { accountId: account.accountId, name: 'Ada' })
  const actions = ['create', 'create-with-identity', 'view-with-identity'] as const
  const authenticate = { mode: 'allow', action: 'authenticate', resourceType: 'identity' } as const
  const token = await account.token([authenticate, ...actions.map((action) => view({ action }))])
  const own = { ...token, ...ada.headers }
  for (const [n, headers] of [
    [3, own],
    [1, own],
    [2, token],
  ] as const) {
    await ask({ method: 'POST', path: '/lists/owned/items', headers, body: { data: { n } } })
  }
  const values = async (query: string) => {
    const { json } = await ask({ path: `/lists/owned/items/data/n?${query}`, headers: own })
    return [Object(json).total, Object(json).data]
  }
  t.deepEqual(await values('order=n'), [2, [1, 3]])
  t.deepEqual(await values('n=gte:2'), [1, [3]])
})

test('no order, filter, error or cursor reveals a guarded value to a token', async (t) => {
  const headers = await account.token()
  const queries = [
    'order=secret',
    'secret=canary-1',
    'index.secret=starts:c',
    'order=title&limit=1&after=',
    'serves=4&includeData=true',
  ]
  for (const query of queries) {
    const reply = await ask({ path: `${path}?${query}`, headers })
    const cursor = Buffer.from(String(Object(reply.json).next), 'base64url').toString()
    t.false(`${reply.text}${cursor}`.includes('canary'), query)
  }
})

test('orders and filters on an index that is being built get INDEX_BUILDING, on a failed one INDEX_BUILD_FAILED', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'late' })
  const at = '/lists/late'
  for (const n of [2, 1, 1]) await ask({ method: 'POST', path: `${at}/items`, body: { data: { n } } })
  const body = { pathName: 'n', pointer: '/n', valueType: 'number', sorting: true, filtering: true }
  await ask({ method: 'POST', path: `${at}/indexes`, body })
  await ask({ method: 'POST', path: `${at}/indexes`, body: { ...body, pathName: 'key', alias: true } })
  const queries = ['order=n', 'n=1', 'n=gt:0&order=n', 'order=key', 'key=1']
  for (const query of queries) {
    const reply = await ask({ path: `${at}/items?${query}` })
    t.like(reply, { status: 409, json: { name: 'INDEX_BUILDING' } }, query)
    t.regex(reply.headers['retry-after'] ?? '', /^\d+$/)
  }
  await runBuilds(gateway.deps.db)
  for (const query of ['order=key', 'key=1']) {
    t.like(await ask({ path: `${at}/items?${query}` }), { status: 409, json: { name: 'INDEX_BUILD_FAILED' } })
  }
  t.like(await ask({ path: `${at}/items/data/n?order=n` }), { status: 200, json: { data: [1, 1, 2] } })
  t.like(await ask({ path: `${at}/items/data/n?n=gt:1` }), { status: 200, json: { total: 1, data: [2] } })
})

test('values are found in their current state after every change of an item', async (t) => {
  await addList(gateway.deps.db, account.accountId, {
    pathName: 'changing',
    indexes: [{ pathName: 'n', pointer: '/n', valueType: 'number', sorting: true, filtering: true }],
  })
  const at = '/lists/changing/items'
  const token = await account.token()
  const create = async (n: unknown) => String((await ask({ method: 'POST', path: at, body: { data: { n } } })).json?.id)
  const [one, two] = [await create(1), await create(2)]
  const found = async (query: string, headers = account.user) =>
    Object((await ask({ path: `${at}/data/n?${query}`, headers })).json).data
  t.deepEqual(await found('order=n'), [1, 2])
  await ask({ method: 'PUT', path: `${at}/${one}`, body: { data: { n: 3 } } })
  t.deepEqual([await found('order=n'), await found('n=1'), await found('n=3')], [[2, 3], [], [3]])
  await ask({ method: 'PUT', path: `${at}/${one}`, body: { activated: false } })
  t.deepEqual([await found('order=n'), await found('order=n', token), await found('n=3', token)], [[2, 3], [2], []])
  await ask({ method: 'PUT', path: `${at}/${two}`, body: { readonly: true } })
  t.deepEqual([await found('n=gt:0&readonly=true'), await found('n=gt:0&readonly=false')], [[2], [3]])
  await ask({ method: 'DELETE', path: `${at}/${one}` })
  t.deepEqual(await found('order=n'), [2])
})
