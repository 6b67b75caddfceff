import test from 'ava'
import { createPublicCallLimit } from '#services/gateway/resources/flows/calls/call-public-flow.ts'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { addFlow, runsOf } from '../../../../support/flows/stored-flows.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import type { Credentials, TestAccount } from '../../../../support/http/callers.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import type { Call, Reply } from '../../../../support/http/client.ts'
import { call } from '../../../../support/http/client.ts'
import type { TestGateway } from '../../../../support/http/gateway.ts'
import { startGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials

test.before(async () => {
  const adapt = (deps: TestGateway['deps']) => ({ ...deps, publicCalls: createPublicCallLimit(() => 0) })
  gateway = await startGateway(cleanup, { routes: [...flowRoutes, ...itemRoutes], adapt, env })
  const { db } = gateway.deps
  account = await makeAccount(db)
  token = await account.token()
  await addList(db, account.accountId, { pathName: 'cards' })
  await addList(db, account.accountId, {
    pathName: 'named',
    indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }],
  })
})

/** The client's address is the one that the proxy reports. */
const env = { LISTD_GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8' }

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })

type Node = { id: string; [property: string]: unknown }

type Entry = { logged: 'all' | 'failures'; activated: boolean; public: boolean; method: string }

/** Adds a flow whose path is its name, with these nodes in a row. @returns its id */
function add(
  name: string,
  nodes: readonly Node[],
  { logged = 'all', activated = true, ...entry }: Partial<Entry> = {},
): Promise<string> {
  const edges = nodes.slice(1).map(({ id }, n) => [nodes[n]?.id, id])
  const document = { version: 1, name, entry: { type: 'endpoint', path: name, ...entry }, nodes, edges }
  return addFlow(gateway.deps.db, account.accountId, document, { logged, activated })
}

const answer = (body: string, more: Record<string, unknown> = {}) => ({ id: 'answer', type: 'respond', body, ...more })

test('pages of a flow have drafts only on request, and nodes that name an item find it anyway', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'notes' })
  const items = '/lists/notes/items'
  const create = async (body: unknown) => String((await ask({ method: 'POST', path: items, body })).json?.id)
  await create({ data: 'out' })
  const draft = await create({ data: 'draft', activated: false })
  for (const [name, where, found] of [
    ['plain', {}, ['out']],
    ['drafts', { activated: 'false' }, ['draft']],
    ['both', { or: '[{activated: false}, {activated: true}]' }, ['draft', 'out']],
  ] as const) {
    await add(name, [
      { id: 'page', type: 'list-items', list: 'notes', where } as never,
      answer('map(steps.page, x => x.data)'),
    ])
    t.deepEqual((await ask({ method: 'POST', path: `/flows/${name}` })).json, found as never, name)
  }
  await add('one', [
    { id: 'item', type: 'get-item', list: 'notes', item: 'input.id' } as never,
    answer('steps.item.activated'),
  ])
  t.is((await ask({ method: 'POST', path: '/flows/one', body: { id: draft } })).text, 'false')
})

const create = { id: 'create', type: 'create-item', list: 'cards', data: 'input.name' }
const countOf = async (name: string) => {
  const { json } = await ask({ path: `/lists/cards/items?limit=100&includeData=true` })
  return (Object(json).data as { data: unknown }[]).filter(({ data }) => data === name).length
}

test('a write or a filter of a node that its list does not accept is not an input error of the caller', async (t) => {
  const find = { id: 'find', type: 'list-items', list: 'named', where: { slug: 'text(input.slug)' } }
  const nodes = [
    { id: 'write', type: 'create-item', list: 'named', data: 'input' },
    find,
    { ...find, id: 'misspell', where: { slugs: '"x"' } },
  ]
  const flowIds = await Promise.all(nodes.map((node) => add(node.id, [node])))
  const failure = async (node: string, n: number, body: unknown) => {
    const { status, json } = await ask({ method: 'POST', path: `/flows/${node}`, body })
    const [run] = await runsOf(gateway.deps.db, flowIds[n] ?? '')
    return [status, Object(json?.details).code, JSON.parse(run?.report ?? '').error.message]
  }
  const reported = await Promise.all(nodes.map(({ id }, n) => failure(id, n, { slug: 2 ** 60 })))
  t.deepEqual(reported, [
    [422, 'VALIDATION_FAILED', 'data.slug is too big for a numeric alias'],
    [
      422,
      'INDEX_NOT_USABLE',
      'slug: The index does not have "filtering" turned on. The parameter "alias" can still filter by its values.',
    ],
    [422, 'VALIDATION_FAILED', 'where.slugs is not known; did you mean "slug"?'],
  ])
})

test('a call that is sent again with its idempotency key gets the first response, and runs once', async (t) => {
  await add('order', [create, answer('steps.create.id', { status: 201, headers: { 'x-by': '"flow"' } })])
  await add('order-too', [create, answer('steps.create.id')])
  const order = (name: string, key: string, more: Partial<Call> = {}) => {
    const headers = { ...token, 'idempotency-key': key }
    return ask({ method: 'POST', path: '/flows/order', headers, body: { name }, ...more })
  }
  const seen = ({ status, json, headers }: Reply) => [status, json, headers['x-by'], headers['x-flow-run']]
  const first = await order('tea', 'k1')
  t.is(first.status, 201)
  t.deepEqual(seen(await order('tea', 'k1', { body: { name: 'tea' } })), seen(first))
  t.is(await countOf('tea'), 1)
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => order('cake', 'k2')))
  for (const one of atOnce) t.deepEqual(seen(one), seen(atOnce[0] as Reply))
  t.is(await countOf('cake'), 1)
  for (const more of [{ body: { name: 'milk' } }, { path: '/flows/order-too' }]) {
    t.is((await order('tea', 'k1', more)).json?.name, 'IDEMPOTENCY_KEY_REUSED')
  }
  const other = await account.token()
  t.is((await order('tea', 'k1', { headers: { ...other, 'idempotency-key': 'k1' } })).status, 201)
  t.is(await countOf('tea'), 2)
  for (const key of ['', 'x'.repeat(256)]) t.deepEqual(errorPaths(await order('tea', key)), ['idempotency-key'])
})

test('a failed run stores no key, and a run that writes nothing and leaves no record does', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'late' })
  const page = { id: 'page', type: 'list-items', list: 'late' }
  const open = { id: 'open', type: 'require', when: 'length(steps.page) > 0', message: 'none yet' }
  await add('late', [page, open, answer('uuid()')], { logged: 'failures' })
  const late = () => ask({ method: 'POST', path: '/flows/late', headers: { ...token, 'idempotency-key': 'k3' } })
  t.is((await late()).status, 400)
  await ask({ method: 'POST', path: '/lists/late/items', body: {} })
  const { text, headers } = await late()
  t.regex(text, /^"[0-9a-f-]{36}"$/)
  t.like(await late(), { text, headers: { 'x-flow-run': headers['x-flow-run'] } })
})

test('JSON in the query of a flow is read by the rules of a body, and rejected like one', async (t) => {
  await add('query', [answer('input')], { method: 'GET' })
  const get = (value: string) =>
    ask({ path: `/flows/query?a=${encodeURI(value).replaceAll(/%5[BD]/g, (one) => (one === '%5B' ? '[' : ']'))}` })
  t.is((await get('{"b":[9007199254740993]}')).text, '{"a":{"b":[9007199254740993]}}')
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  t.is((await get(deep(199))).status, 200)
  for (const value of ['["\\ud8005",10000000000000000]', '{"b":1,"b":2}', deep(5_000)]) {
    const rejected = await get(value)
    t.is(rejected.status, 400, value.slice(0, 40))
    t.deepEqual(errorPaths(rejected), ['a'])
  }
})

test('every caller may call a public flow by its id, 60 times a minute, and no other flow', async (t) => {
  const who = answer('{input: input, nobody: identity == null && token == null}')
  const create = { id: 'create', type: 'create-item', list: 'cards', data: '"by nobody"' }
  const open = await add('open', [create, who], { public: true })
  const read = await add('read', [who], { public: true, method: 'GET' })
  const closed = await add('closed', [who])
  const off = await add('off', [who], { public: true, activated: false })
  const from = (address: string, request: Call) =>
    call(gateway.port, { method: 'POST', ...request, headers: { 'x-forwarded-for': address, ...request.headers } })
  const path = `/flows/public/${open}`
  const called = await from('192.0.2.1', { path, body: { a: 1 } })
  t.like(called, { status: 200, json: { input: { a: 1 }, nobody: true } })
  const runId = called.headers['x-flow-run']
  const written = await gateway.deps.db.get(`select actor from events where actor like '%${runId}%'`)
  const { tokenId, identityId, authMode } = JSON.parse(String(written?.actor))
  t.deepEqual([authMode, tokenId, identityId], ['flow', null, null])
  const query = { method: 'GET', path: `/flows/public/${read}?a=1` }
  t.like(await from('192.0.2.1', query), { status: 200, json: { input: { a: '1' }, nobody: true } })
  for (const request of [
    { path: `/flows/public/${closed}` },
    { path: `/flows/public/${off}` },
    { path: `/flows/public/${read}` },
    { path: '/flows/public/open' },
    { path: `${path}/more`, headers: token },
  ])
    t.is((await from('192.0.2.2', request)).status, 404, request.path)
  t.deepEqual(errorPaths(await from('192.0.2.2', { path, headers: { 'idempotency-key': 'k' } })), ['idempotency-key'])
  t.is((await from('192.0.2.2', { path: '/flows/open', headers: token })).status, 200)
  const many = await Promise.all(Array.from({ length: 61 }, () => from('192.0.2.3', query)))
  const rejected = many.filter(({ status }) => status === 429)
  t.is(rejected.length, 1)
  t.like(rejected[0], { json: { name: 'RATE_LIMIT_EXCEEDED' }, headers: { 'retry-after': '60' } })
  t.is((await from('192.0.2.4', query)).status, 200)
})
