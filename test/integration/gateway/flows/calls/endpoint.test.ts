import test from 'ava'
import { sessionCookie } from '#services/gateway/auth/credential.ts'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { addFlow, runsOf } from '../../../../support/flows/stored-flows.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...flowRoutes, ...itemRoutes] })
  const { db } = gateway.deps
  account = await makeAccount(db)
  token = await account.token()
  const schema = { properties: { votes: { type: 'integer', maximum: 1_000 }, secret: { maxLength: 5 } } }
  const indexes = [
    { pathName: 'slug', pointer: '/slug', alias: true },
    { pathName: 'secret', pointer: '/secret', guard: true },
  ]
  await addList(db, account.accountId, { pathName: 'cards', schema, indexes })
  await addList(db, account.accountId, { pathName: 'votes' })
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })
const run = (path: string, body: unknown, more: Partial<Call> = {}) =>
  ask({ method: 'POST', path: `/flows/${path}`, body, ...more })

async function create(data: unknown, more: Record<string, unknown> = {}): Promise<string> {
  const headers = account.user
  const path = '/lists/cards/items'
  const id = String((await ask({ method: 'POST', path, body: { data }, headers })).json?.id)
  if (Object.keys(more).length > 0) await ask({ method: 'PUT', path: `${path}/${id}`, body: more, headers })
  return id
}

const dataOf = async (id: string) => (await ask({ path: `/lists/cards/items/${id}` })).json?.data

const entry = (path: string, more: Record<string, unknown> = {}) => ({ type: 'endpoint', path, ...more })

/** A flow that adds one to the votes of a card, unless the card is closed. */
const vote = {
  version: 1,
  name: 'vote',
  entry: entry('cards/vote', {
    input: {
      type: 'object',
      required: ['card'],
      properties: { card: { type: 'string' }, action: { enum: ['up', 'down'] } },
    },
  }),
  nodes: [
    { id: 'card', type: 'get-item', list: 'cards', item: 'input.card', required: true },
    { id: 'open', type: 'require', when: 'steps.card.data.closed != true', status: 403, message: 'voting has ended' },
    {
      id: 'count',
      type: 'update-item',
      list: 'cards',
      item: 'input.card',
      merge: '{votes: (steps.card.data.votes ?? 0) + 1}',
    },
    { id: 'log', type: 'create-item', list: 'votes', data: '{card: steps.card.id, by: identity?.name}' },
    {
      id: 'answer',
      type: 'respond',
      status: 201,
      body: '{votes: steps.count.data.votes}',
      headers: { 'x-card': 'steps.card.id' },
    },
  ],
  edges: [
    ['card', 'open'],
    ['open', 'count'],
    ['count', 'log'],
    ['log', 'answer'],
  ],
}

test('a request to the endpoint of a flow runs it, and all its writes are committed with the run', async (t) => {
  const { db } = gateway.deps
  const flowId = await addFlow(db, account.accountId, vote)
  const id = await create({ slug: 'first', votes: 2 })
  const { status, json, headers } = await run('Cards/Vote', { card: 'first' })
  t.deepEqual([status, json], [201, { votes: 3 }])
  t.is(headers['x-card'], id)
  t.is(headers['content-security-policy'], "sandbox; default-src 'none'")
  t.deepEqual(await dataOf(id), { slug: 'first', votes: 3 })
  const [record] = await runsOf(db, flowId)
  t.is(record?.id, headers['x-flow-run'])
  const line = gateway.logged().find(({ requestId }) => requestId === headers['x-request-id'])
  t.like(line, { event: 'request.completed', route: '/flows/{path*}', flowId, runId: record?.id })
  t.like(record, { status: 'succeeded', flowVersion: 1, attempts: 1, input: '{"card":"first"}' })
  const { writes, steps } = JSON.parse(record?.report ?? '')
  t.deepEqual(
    writes.map(({ op, list }: Record<string, string>) => `${op} ${list}`),
    ['update cards', 'create votes'],
  )
  t.is(steps.length, 5)
  const ids = writes.map(({ itemId }: { itemId: string }) => `'${itemId}'`)
  const actors = await db.all<{ actor: string }>(
    `select actor from events where model_id in (${ids}) and actor like '%"flow"%'`,
  )
  t.is(actors.length, 2)
  for (const { actor } of actors) {
    t.like(JSON.parse(actor), { authMode: 'flow', flowId, runId: headers['x-flow-run'], identityId: null })
  }
})

test('a failed run writes nothing, names the place of the failure, and is recorded', async (t) => {
  const { db } = gateway.deps
  const flowId = await addFlow(db, account.accountId, {
    ...vote,
    name: 'late',
    entry: entry('late'),
    nodes: [
      ...vote.nodes.slice(0, 4),
      { id: 'answer', type: 'require', when: 'input.ok', message: 'not ok', status: 409 },
    ],
  })
  const id = await create({ slug: 'late', votes: 1 })
  const failed = await run('late', { card: 'late', ok: false })
  t.is(failed.status, 409)
  t.like(failed.json, {
    name: 'FLOW_FAILED',
    code: 23008,
    message: 'not ok',
    details: { code: 'REQUIRE_FAILED', node: 'answer' },
  })
  const line = gateway.logged().find(({ requestId }) => requestId === failed.headers['x-request-id'])
  t.like(line, { flowId, runId: failed.headers['x-flow-run'], reason: 'REQUIRE_FAILED at answer' })
  t.deepEqual(await dataOf(id), { slug: 'late', votes: 1 })
  const wrong = await run('late', { card: 'late', ok: 'yes' })
  t.like(wrong.json, {
    name: 'FLOW_FAILED',
    details: { code: 'EXPRESSION_ERROR', node: 'answer', place: { path: 'nodes.4.when', line: 1, column: 6 } },
  })
  const none = await run('late', { card: 'nowhere' })
  t.is(none.status, 404)
  t.deepEqual(
    (await runsOf(db, flowId)).map(({ status }) => status),
    ['failed', 'failed', 'failed'],
  )
})

test('rules of items apply to runs, and keep the names of their errors', async (t) => {
  const flowId = await addFlow(gateway.deps.db, account.accountId, {
    version: 1,
    name: 'set',
    entry: entry('set'),
    nodes: [{ id: 'set', type: 'update-item', list: 'cards', item: 'input.card', merge: 'input.data' }],
  })
  await create({ slug: 'rules' })
  await create({ slug: 'taken' })
  await create({ slug: 'locked' }, { locked: true })
  await create({ slug: 'readonly' }, { readonly: true })
  for (const [card, data, code] of [
    ['rules', { votes: 1_001 }, 'SCHEMA_INVALID'],
    ['rules', { slug: 'taken' }, 'ITEM_ALIAS_TAKEN'],
    ['locked', {}, 'ITEM_LOCKED'],
    ['readonly', {}, 'ITEM_READONLY'],
    ['rules', { text: 'x'.repeat(1_200_000) }, null],
  ] as const) {
    const { status, json } = await run('set', { card, data })
    if (code === null) t.is(status, 413)
    else t.like(json, { name: 'FLOW_FAILED', details: { code, node: 'set' } }, `${code} ${JSON.stringify(json)}`)
  }
  const { json } = await run('set', { card: 'rules', data: { secret: 'too long' } })
  t.is(json?.message, 'an item would not match the schema of its list')
  const { error } = JSON.parse((await runsOf(gateway.deps.db, flowId)).at(-1)?.report ?? '')
  t.regex(error.message, /list: A value that you cannot see does not match the schema\.$/)
})

test('a failed run quotes a stored value in its record, and never to its caller', async (t) => {
  const { db } = gateway.deps
  const secret = 'call-me-at-home'
  const id = await create({ slug: 'quoted', when: secret })
  const card = { id: 'card', type: 'get-item', list: 'cards', item: 'input.card' }
  const when = 'steps.card.data.when'
  const change = { id: 'fail', type: 'update-item', list: 'cards', item: 'input.card' }
  const nodes = [
    { id: 'fail', type: 'compute', value: `date(${when})` },
    { id: 'fail', type: 'get-item', list: 'cards', item: when, required: true },
    { ...change, patch: `[{op: "remove", path: "/" + ${when}}]` },
    { ...change, merge: '{}', ifVersion: when },
    { id: 'fail', type: 'create-item', list: 'votes', data: '1', owner: when },
    { id: 'fail', type: 'list-items', list: 'cards', where: { size: when } },
    { id: 'fail', type: 'create-item', list: 'cards', data: '{slug: "quoted"}', tags: `[${when} + " "]` },
    { ...change, merge: '{votes: 2000}' },
  ]
  for (const [n, node] of nodes.entries()) {
    const name = `quote-${n}`
    const edges = [['card', 'fail']]
    const flowId = await addFlow(db, account.accountId, {
      version: 1,
      name,
      entry: entry(name),
      nodes: [card, node],
      edges,
    })
    const { json, text } = await run(name, { card: id })
    t.like(json, { name: 'FLOW_FAILED', details: { node: 'fail' } }, name)
    t.false(text.includes('call-me'), text)
    const [record] = await runsOf(db, flowId)
    const { error } = JSON.parse(record?.report ?? '')
    t.not(error.message, json?.message, name)
    t.is(error.code, Object(json?.details).code)
  }
})

test('the length of guarded values has no effect on a run whose nodes do not see them', async (t) => {
  const { db } = gateway.deps
  await addList(db, account.accountId, {
    pathName: 'guarding',
    indexes: [{ pathName: 'secret', pointer: '/secret', guard: true }],
  })
  const path = '/lists/guarding/items'
  const ids: string[] = []
  for (let n = 0; n < 9; n++) {
    const body = { data: { secret: 'x'.repeat(n === 0 ? 20 : 1_040_000) } }
    ids.push(String((await ask({ method: 'POST', path, headers: account.user, body })).json?.id))
  }
  const add = (name: string, node: Record<string, unknown>) => {
    const nodes = [
      { id: 'a', ...node },
      { id: 'end', type: 'respond', body: 'steps.a' },
    ]
    return addFlow(db, account.accountId, { version: 1, name, entry: entry(name), nodes, edges: [['a', 'end']] })
  }
  await add('all', { type: 'list-items', list: 'guarding', limit: 100 })
  t.is(Object(await run('all', {})).json.length, 9)
  await add('by-size', { type: 'list-items', list: 'guarding', order: 'size' })
  await add('of-size', { type: 'list-items', list: 'guarding', where: { size: { filter: '"gt:1000"' } } })
  await add('by-size-guarded', { type: 'list-items', list: 'guarding', order: 'size', limit: 1, guarded: true })
  for (const name of ['by-size', 'of-size'])
    t.like(await run(name, {}), { status: 422, json: { details: { code: 'VALIDATION_FAILED', node: 'a' } } }, name)
  t.like((await run('by-size-guarded', {})).json, [{ id: ids[0] }])
  await add('grow', { type: 'update-item', list: 'guarding', item: 'input.id', merge: '{open: input.text}' })
  for (const id of ids.slice(0, 2)) t.is((await run('grow', { id, text: 'x'.repeat(200_000) })).status, 200)
})

test('an input that the schema rejects is 400, and the message begins with the name of the property', async (t) => {
  const { db } = gateway.deps
  const flowId = await addFlow(db, account.accountId, {
    ...vote,
    name: 'strict',
    entry: { ...vote.entry, path: 'strict' },
  })
  const rejected = await run('strict', { card: 'x', action: 'sideways' })
  t.is(rejected.status, 400)
  t.true(String(rejected.json?.message).startsWith('action must be '), String(rejected.json?.message))
  t.is((await run('strict', undefined)).status, 400)
  t.deepEqual(
    (await runsOf(db, flowId)).map(({ status }) => status),
    ['refused', 'refused'],
  )
})

test('the input of a GET is its query', async (t) => {
  await addFlow(gateway.deps.db, account.accountId, {
    version: 1,
    name: 'echo',
    entry: entry('echo', { method: 'GET', input: { properties: { n: { type: 'integer' }, on: { type: 'boolean' } } } }),
    nodes: [{ id: 'answer', type: 'respond', body: 'input' }],
  })
  t.is((await ask({ path: '/flows//echo' })).status, 404)
  const { json } = await ask({ path: '/flows/echo?n=12&on=true&text=12&list=%5B1%5D&a=1&a=2' })
  t.deepEqual(json, { n: 12, on: true, text: '12', list: [1], a: ['1', '2'] })
  for (const query of ['n=x', 'text=%ff', 'a&'.repeat(1_001)]) {
    t.is((await ask({ path: `/flows/echo?${query}` })).status, 400, query)
  }
})

test('a response of a flow with status 401 names the accepted credentials, and no condition changes it', async (t) => {
  const nodes = [{ id: 'answer', type: 'respond', status: 401, body: '{n: 1}' }]
  await addFlow(gateway.deps.db, account.accountId, {
    version: 1,
    name: '401',
    entry: entry('denied', { method: 'GET' }),
    nodes,
  })
  const headers = { ...token, 'if-match': '"x"', 'if-none-match': '*' }
  const denied = await ask({ path: '/flows/denied', headers })
  t.like(denied, { status: 401, json: { n: 1 } })
  t.regex(String(denied.headers['www-authenticate']), /^Bearer realm="listd", X-Api-Token /)
})

test('many concurrent runs that count on one item lose no count', async (t) => {
  await addFlow(gateway.deps.db, account.accountId, { ...vote, name: 'race', entry: entry('race') })
  const id = await create({ slug: 'race', votes: 0 })
  const replies = await Promise.all(Array.from({ length: 64 }, () => run('race', { card: 'race' })))
  const counted = replies.filter(({ status }) => status === 201).length
  t.deepEqual(
    [...new Set(replies.map(({ status }) => status))].filter((status) => status !== 201 && status !== 409),
    [],
  )
  t.true(counted > 0)
  t.deepEqual(await dataOf(id), { slug: 'race', votes: counted })
  const { json } = await ask({ path: `/lists/votes/items?limit=100&where=${encodeURIComponent('{}')}` })
  t.is(json?.name ?? 'VALIDATION_FAILED', 'VALIDATION_FAILED')
})

test('nodes see guarded values only on request, and keep those that they do not see', async (t) => {
  const nodes = (guarded: boolean) => [
    { id: 'card', type: 'get-item', list: 'cards', item: 'input.card', guarded },
    {
      id: 'set',
      type: 'update-item',
      list: 'cards',
      item: 'input.card',
      data: '{slug: steps.card.data.slug, votes: 7}',
    },
    { id: 'answer', type: 'respond', body: 'steps.card.data' },
  ]
  const edges = [
    ['card', 'set'],
    ['set', 'answer'],
  ]
  for (const guarded of [true, false]) {
    const name = `guarded-${guarded}`
    await addFlow(gateway.deps.db, account.accountId, {
      version: 1,
      name,
      entry: entry(name),
      nodes: nodes(guarded),
      edges,
    })
    const id = await create({ slug: name, secret: 's3' })
    const { json } = await run(name, { card: id })
    t.deepEqual(json, guarded ? { slug: name, secret: 's3' } : { slug: name })
    const headers = account.user
    t.deepEqual((await ask({ path: `/lists/cards/items/${id}`, headers })).json?.data, {
      slug: name,
      votes: 7,
      secret: 's3',
    })
  }
})

test('tokens run the flows that their rules select, with an identity also by rules for it, and a cookie runs none', async (t) => {
  const { db } = gateway.deps
  const flowId = await addFlow(db, account.accountId, {
    version: 1,
    name: 'who',
    entry: entry('who'),
    nodes: [{ id: 'answer', type: 'respond', body: '{name:\nidentity?.name, isToken:\ntoken != null}' }],
  })
  const { headers: identity, identityId: name } = await makeIdentity(db, account)
  const of = (rules: object[]) => account.token([{ mode: 'allow', action: 'authenticate' }, ...rules] as never)
  const allowed = await of([{ mode: 'allow', action: 'run', flowIds: [flowId] }])
  const other = await of([{ mode: 'allow', action: 'run', flowIds: ['00000000-0000-7000-8000-000000000001'] }])
  const none = await of([{ mode: 'allow', action: 'view' }])
  const asIdentity = await of([{ mode: 'allow', action: 'run-with-identity' }])
  const stranger = await makeAccount(db)
  const cookie = {
    cookie: `${sessionCookie}=${account.user.authorization?.split(' ')[1]}`,
    'sec-fetch-site': 'same-origin',
  }
  for (const [headers, status] of [
    [allowed, 200],
    [other, 404],
    [none, 403],
    [asIdentity, 403],
    [{ ...asIdentity, ...identity }, 200],
    [account.user, 200],
    [await stranger.token(), 404],
    [cookie, 401],
    [{}, 401],
  ] as const) {
    const reply = await run('who', {}, { headers: headers as Credentials })
    t.is(reply.status, status, JSON.stringify(reply.json))
  }
  t.deepEqual((await run('who', {}, { headers: { ...asIdentity, ...identity } as Credentials })).json, {
    name,
    isToken: true,
  })
})
