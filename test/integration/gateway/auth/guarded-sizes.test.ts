import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { indexRoutes } from '#services/gateway/resources/indexes/routes.ts'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { syncSchemaRoutes } from '#services/gateway/resources/schema-sync/routes.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, manyCalls, type Reply, visiblePart } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

// Accounts that differ only in the length of their guarded values: short, more than fits in a page, and more than a dry run of an
// index reads. No answer to a token may differ.

const routes = [
  ...listRoutes,
  ...indexRoutes,
  ...itemRoutes,
  ...itemBatchRoutes,
  ...itemDataRoutes,
  ...eventRoutes,
  ...syncSchemaRoutes,
].filter(({ permission, path }) => permission !== 'user' && /^\/(lists|sync-schema)/.test(path))

const items = 100
/** Short; in total more than a page may have, which is 8 MiB; in total more than a dry run reads, which is 64 MiB. */
const lengths = [10, 90_000, 680_000]
const versions = 12

const cleanup = afterAll()
let gateway: TestGateway
let worlds: World[]
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  worlds = await Promise.all(lengths.map(makeWorld))
})
const agent = manyCalls()
test.after.always(() => agent.destroy())

/** An account with a list, a token and ids of events. */
type World = { account: TestAccount; token: Credentials; events: Record<'list' | 'index' | 'item', string> }

async function makeWorld(length: number): Promise<World> {
  const { db } = gateway.deps
  const account = await makeAccount(db)
  const ask = askAs(account.user)
  await ask({ method: 'POST', path: '/lists', body: { pathName: 'recipes' } })
  const indexes = [
    { name: 'slug', pointer: '/slug', alias: true, sorting: true, filtering: true },
    { name: 'secret', pointer: '/secret', guard: true },
  ]
  for (const body of indexes) await ask({ method: 'POST', path: '/lists/recipes/indexes', body })
  const operations = Array.from({ length: items }, (_, n) => ({
    op: 'create',
    data: { slug: `item-${n}`, secret: 's' },
  }))
  await ask({ method: 'POST', path: '/lists/recipes/items/batch', body: { operations } })
  for (let n = 1; n < versions; n++)
    await ask({ method: 'PUT', path: '/lists/recipes/items/item-0', body: { tags: [`v${n}`] } })
  await lengthenSecrets(account, length)
  const token = await account.token([
    { mode: 'allow', action: '*' },
    { mode: 'block', action: 'update', resourceType: 'index' },
  ])
  const eventOf = async (subject: string) =>
    String(Object((await ask({ path: `/lists/recipes${subject}/events?limit=20` })).json).data.at(-1).id)
  const events = {
    list: await eventOf(''),
    index: await eventOf('/indexes/slug'),
    item: await eventOf('/items/item-0'),
  }
  return { account, token, events }
}

const askAs =
  (headers: Credentials) =>
  async (request: Call): Promise<Reply> => {
    const reply = await call(gateway.port, { agent, ...request, headers: { ...headers, ...request.headers } })
    if (reply.status >= 400) throw new Error(reply.text)
    return reply
  }

/** Writes the guarded values into the tables, because they would be too much for one batch. */
async function lengthenSecrets({ accountId }: TestAccount, length: number): Promise<void> {
  const { db } = gateway.deps
  const secret = `"secret":"${'s'.repeat(length)}"`
  const values = ['"secret":"s"', secret]
  await db.run('update items set data = replace(data, ?, ?), size = size + ? where account_id = ?', [
    ...values,
    length - 1,
    accountId,
  ])
  const [item] = await db.all<{ id: string }>('select id from items where account_id = ? order by id limit 1', [
    accountId,
  ])
  await db.run('update events set snapshot = replace(snapshot, ?, ?) where model_id = ?', [...values, item?.id])
}

const list = '/lists/recipes'
const one = `${list}/items/item-0`
const get = (path: string): Call => ({ path })
const put = (path: string, body: unknown): Call => ({ method: 'PUT', path, body })
const post = (path: string, body?: unknown, headers = {}): Call => ({
  method: 'POST',
  path,
  headers,
  ...(body !== undefined && { body }),
})
const drop = (path: string): Call => ({ method: 'DELETE', path })
const batchOf = (op: string, count: number) => ({
  operations: Array.from({ length: count }, (_, n) => ({
    op,
    item: `item-${n + 1}`,
    ...(op === 'update' && { tags: ['x'] }),
  })),
})
const pageQueries = [
  'limit=100',
  'limit=100&after=',
  'limit=9',
  'limit=100&order=slug&after=',
  'limit=100&activated=any&includeGuarded=true',
]

/** The calls of each route. Calls that change something come last, in this order. */
const calls: Record<string, (world: World) => Call[]> = {
  'GET /lists': () => [get('/lists')],
  'GET /lists/{list}': () => [get(list)],
  'GET /lists/{list}/indexes': () => [get(`${list}/indexes`)],
  'GET /lists/{list}/indexes/{index}': () => [get(`${list}/indexes/secret`)],
  'GET /lists/{list}/events': () => [get(`${list}/events?includeSnapshot=true`)],
  'GET /lists/{list}/events/{event}': ({ events }) => [get(`${list}/events/${events.list}`)],
  'GET /lists/{list}/indexes/{index}/events': () => [get(`${list}/indexes/secret/events?includeSnapshot=true`)],
  'GET /lists/{list}/indexes/{index}/events/{event}': ({ events }) => [
    get(`${list}/indexes/slug/events/${events.index}`),
  ],
  'GET /lists/{list}/items': () => [
    ...pageQueries.flatMap((query) => ['', '&includeData=true'].map((data) => get(`${list}/items?${query}${data}`))),
    ...['order=size', 'order=locked&limit=100', 'slug=starts:item-1&includeData=true&limit=100'].map((query) =>
      get(`${list}/items?${query}`),
    ),
  ],
  'GET /lists/{list}/items/data/{pointer*}': () =>
    ['', '/slug', '/secret'].flatMap((pointer) =>
      pageQueries.map((query) => get(`${list}/items/data${pointer}?${query}`)),
    ),
  'GET /lists/{list}/items/{item}': () =>
    ['', '?includeData=false', '?includeGuarded=true', '?version=1.0.3'].map((query) => get(one + query)),
  'GET /lists/{list}/items/{item}/data/{pointer*}': () =>
    ['', '/slug', '/secret', '/secret/x'].map((pointer) => get(`${one}/data${pointer}`)),
  'GET /lists/{list}/items/{item}/events': () => [
    ...['limit=8', 'limit=9&after=', 'limit=100', 'limit=100&after=&includeGuarded=true'].flatMap((query) =>
      ['true', 'false'].map((snapshots) => get(`${one}/events?${query}&includeSnapshot=${snapshots}`)),
    ),
  ],
  'GET /lists/{list}/items/{item}/events/{event}': ({ events }) => [get(`${one}/events/${events.item}`)],
  'GET /sync-schema': () => [get('/sync-schema')],
  'POST /sync-schema/move': () => [post('/sync-schema/move?dryRun=true', { lists: ['recipes'], scope: 'kitchen' })],
  'POST /lists/{list}/indexes': () => [
    ...['/slug', '/secret', '/n'].map((pointer) =>
      post(`${list}/indexes?dryRun=true`, { name: 'tried', pointer, valueType: 'string' }),
    ),
    post(`${list}/indexes`, { name: 'created', pointer: '/created' }),
  ],
  'POST /lists/{list}/indexes/{index}/rebuild': () => [post(`${list}/indexes/slug/rebuild`)],
  'PUT /lists/{list}/indexes/{index}': () => [put(`${list}/indexes/slug`, { description: 'changed' })],
  'POST /lists/{list}/items': () =>
    [{}, { slug: 'item-1' }, { slug: 'more', secret: 'x' }].map((data) => post(`${list}/items?dryRun=true`, { data })),
  'POST /lists/{list}/items/{item}/data/{pointer*}': () =>
    ['', '/secret'].map((at) => post(`${one}/data${at}`, { more: 1 })),
  'PATCH /lists/{list}/items/{item}/data/{pointer*}': () => [
    { ...post(`${one}/data`, [{ op: 'add', path: '/n', value: 1 }]), method: 'PATCH' },
  ],
  'DELETE /lists/{list}/items/{item}/data/{pointer*}': () => ['/more', '/secret'].map((at) => drop(`${one}/data${at}`)),
  'POST /lists/{list}/items/{item}/events/{event}/restore': ({ events }) => [
    ...['?dryRun=true', '', '?includeData=false'].map((query) => post(`${one}/events/${events.item}/restore${query}`)),
  ],
  'PUT /lists/{list}/items/{item}': () => [
    ...[
      { tags: ['w'] },
      { data: { slug: 'item-0', long: 'x'.repeat(1_048_500) } },
      { data: { long: 'x'.repeat(1_048_600) } },
    ].map((body) => put(one, body)),
  ],
  'PUT /lists/{list}/items/{item}/data/{pointer*}': () => [
    put(`${one}/data/n`, 5),
    put(`${list}/items/item-9/data/secret`, 'x'),
  ],
  'POST /lists/{list}/items/batch': () => [
    post(`${list}/items/batch?dryRun=true`, batchOf('delete', 10)),
    post(`${list}/items/batch?includeData=false`, batchOf('update', 9)),
    ...[1, 2].map(() => post(`${list}/items/batch`, batchOf('update', 5), { 'idempotency-key': 'five' })),
  ],
  'DELETE /lists/{list}/items/{item}': () => [
    drop(`${one}?dryRun=true`),
    drop(one),
    get(`${list}/items?limit=100&includeData=true&after=`),
  ],
  'DELETE /lists/{list}/indexes/{index}': () => [drop(`${list}/indexes/slug`)],
  'POST /sync-schema': () => [
    ...[{ description: 'synced' }, { schema: { maxProperties: 5 } }].map((recipes) =>
      post('/sync-schema?dryRun=true', { lists: { recipes } }),
    ),
    post('/sync-schema', { lists: { recipes: { description: 'synced' } } }),
  ],
  'PUT /lists/{list}': () => [put(list, { description: 'changed' }), put(list, { schema: { maxProperties: 9 } })],
  'POST /lists': () => [post('/lists', { pathName: 'more' })],
  'DELETE /lists/{list}': () => [drop(list)],
}

test('every route that a token may call about lists and their content is called', (t) => {
  t.deepEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted(), Object.keys(calls).toSorted())
})

test('no response to a token reveals the length of guarded values', async (t) => {
  const answers = await Promise.all(worlds.map(answersIn))
  const [first = [], ...others] = answers
  t.true(first.length > 80)
  for (const [n, { request, answer }] of first.entries()) {
    for (const other of others) t.deepEqual(other[n]?.answer, answer, `${request.method ?? 'GET'} ${request.path}`)
  }
})

async function answersIn(world: World): Promise<{ request: Call; answer: unknown }[]> {
  const answers: { request: Call; answer: unknown }[] = []
  for (const request of Object.values(calls).flatMap((callsIn) => callsIn(world))) {
    const reply = await call(gateway.port, { agent, ...request, headers: { ...world.token, ...request.headers } })
    if (reply.status >= 500) throw new Error(`${request.path} ${reply.text}`)
    answers.push({ request, answer: whatDiffersNot(reply) })
  }
  return answers
}

/** An answer without the parts that differ between equal accounts: ids, times, and values derived from them. */
function whatDiffersNot(reply: Reply): unknown {
  const { status, headers, text } = visiblePart(reply) as Reply
  const same = text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\S{5}T\S{12}Z/g, 'TIME')
    .replaceAll(/"(next|planHash)":"[^"]+"/g, '"$1":"DERIVED"')
  const { 'x-list': list, etag, ...others } = headers
  // The etag ends with a hash of the answer with its ids; the revision of an item stays.
  const derived = { ...(list && { 'x-list': 'ID' }), ...(etag && { etag: etag.replace(/[\w-]{22}"$/, 'HASH"') }) }
  return { status, headers: { ...others, ...derived }, text: same }
}

test('an item of adjustable size cannot be used to measure a guarded value of another item', async (t) => {
  const measured = await Promise.all(lengths.map(statusesBySize))
  const [first, ...others] = measured
  t.deepEqual([...new Set(first)], ['200 200', '200 400'])
  for (const other of others) t.deepEqual(other, first)
})

/** The statuses of pages without and with data. The list has a guarded value, eight items of 1 MB, and one item whose size varies. */
async function statusesBySize(length: number): Promise<string[]> {
  const account = await makeAccount(gateway.deps.db)
  const token = await account.token()
  const [asUser, asToken] = [askAs(account.user), askAs(token)]
  await asUser({ method: 'POST', path: '/lists', body: { pathName: 'recipes' } })
  await asUser({
    method: 'POST',
    path: '/lists/recipes/indexes',
    body: { name: 'secret', pointer: '/secret', guard: true },
  })
  await asUser({ method: 'POST', path: '/lists/recipes/items', body: { data: { secret: 's'.repeat(length) } } })
  const add = () => asToken({ method: 'POST', path: '/lists/recipes/items', body: { data: 'x'.repeat(1_000_000) } })
  for (let n = 0; n < 8; n++) await add()
  const adjustable = (await add()).json?.id
  const statuses: string[] = []
  for (const size of [10, 100_000, 350_000, 380_000, 400_000, 600_000, 1_000_000]) {
    await asToken({ method: 'PUT', path: `/lists/recipes/items/${adjustable}`, body: { data: 'x'.repeat(size) } })
    const pages = ['limit=10', 'limit=10&includeData=true'].map((query) =>
      call(gateway.port, { path: `/lists/recipes/items?${query}`, headers: token }),
    )
    statuses.push((await Promise.all(pages)).map(({ status }) => status).join(' '))
  }
  return statuses
}
