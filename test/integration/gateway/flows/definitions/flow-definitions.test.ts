import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { flowDocument } from '../../../../support/databases/contents/flows.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
const plans = { scale: { name: 'Scale' }, small: { name: 'Small', maxFlows: 2 } }

test.before(async () => {
  gateway = await startGateway(cleanup, { routes, env: { LISTD_PLANS: JSON.stringify(plans) } })
})

/** Calls of a user in a new account. */
async function setUp(plan = 'scale') {
  const account = await makeAccount(gateway.deps.db, { plan })
  const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
  const post = (document: object | string, more = {}) =>
    ask({ method: 'POST', path: '/flow-definitions', body: { document: parsed(document), ...more } })
  return { account, ask, post }
}

const parsed = (document: object | string) => (typeof document === 'string' ? JSON.parse(document) : document)
const rejection = ({ status, json }: Reply) => [status, status < 400 ? null : json?.name]
const greeting = (name: string) => flowDocument({ name, path: name })

test('a document is stored as it was sent, with its numbers and the order of keys', async (t) => {
  const { account, ask } = await setUp()
  const headers = { ...account.user, 'content-type': 'application/json' }
  const document = `{"version":1,"name":"Kept","entry":{"type":"endpoint","path":"kept"},"layout":{"b":1.0,"10":9007199254740993},"nodes":[{"id":"a","type":"respond"}]}`
  const created = await ask({ method: 'POST', path: '/flow-definitions', headers, body: `{"document": ${document} }` })
  t.is(created.status, 201, created.text)
  t.true(created.text.includes(`"document":${document}`))
  t.like(created.json, {
    name: 'Kept',
    activated: true,
    logged: 'all',
    version: 1,
    tests: null,
    lists: [],
    public: false,
  })
  t.deepEqual(created.json?.entry, { type: 'endpoint', method: 'POST', path: 'kept', input: null, public: false })
  t.is((await ask({ path: '/flow-definitions/KEPT' })).text, created.text)
})

test('a page of flows with long documents leaves them out, unless they are requested', async (t) => {
  const { ask, post } = await setUp()
  const tests = { tests: [{ name: 'answers', input: {}, expect: { status: 200 } }] }
  const long = (n: number) => ({ ...parsed(greeting(`long-${n}`)), layout: 'x'.repeat(255 * 1024) })
  for (let n = 0; n < 34; n++) t.is((await post(long(n), n === 0 ? { tests } : {})).status, 201)
  const page = await ask({ path: '/flow-definitions?limit=100&order=createdAt&direction=asc' })
  t.is(page.status, 200)
  const rows = Object(page.json).data as Record<string, unknown>[]
  t.is(rows.length, 34)
  t.like(rows[0], { name: 'long-0', activated: true, version: 1, lists: [] })
  t.false(rows.some((row) => 'document' in row || 'tests' in row))
  const rejected = await ask({ path: '/flow-definitions?limit=100&includeDocument=true' })
  t.deepEqual(rejection(rejected), [400, 'VALIDATION_FAILED'])
  const whole = await ask({ path: '/flow-definitions?limit=1&order=createdAt&direction=asc&includeDocument=true' })
  t.deepEqual(Object(whole.json).data[0], { ...rows[0], document: long(0), tests })
})

test('a definition with errors is not saved, and each error is reported with its position', async (t) => {
  const { ask, post } = await setUp()
  const wrong = await post({ version: 1, name: 'x', entry: { type: 'endpoint', path: 'x' }, nodes: [] })
  t.deepEqual(rejection(wrong), [400, 'FLOW_INVALID'])
  const { diagnostics } = Object(wrong.json?.details) as { diagnostics: object[] }
  t.like(diagnostics[0], { source: 'document', severity: 'error' })
  for (const document of [null, [], 'text', 1])
    t.deepEqual(rejection(await ask({ method: 'POST', path: '/flow-definitions', body: { document } })), [
      400,
      'FLOW_INVALID',
    ])
  for (const body of [
    {},
    { document: {}, nodes: [] },
    { document: {}, activated: 'yes' },
    { document: {}, logged: 'none' },
  ])
    t.deepEqual(rejection(await ask({ method: 'POST', path: '/flow-definitions', body })), [400, 'VALIDATION_FAILED'])
  const long = { ...parsed(greeting('long')), layout: 'x'.repeat(256 * 1024) }
  t.deepEqual(rejection(await post(long)), [400, 'FLOW_INVALID'])
  t.like(await ask({ path: '/flow-definitions' }), { json: { total: 0 } })
})

const expecting = (hello: number) => ({ tests: [{ name: 'it greets', input: {}, expect: { body: { hello } } }] })

test('tests run before anything is saved, and again with the stored parts', async (t) => {
  const { ask, post } = await setUp()
  const failed = await post(greeting('a'), { tests: expecting(2) })
  t.deepEqual(rejection(failed), [400, 'FLOW_TESTS_FAILED'])
  t.like(failed.json?.details, { failures: [{ name: 'it greets', actual: { status: 200, body: { hello: 1 } } }] })
  const wrong = await post(greeting('a'), { tests: { tests: 1 } })
  t.deepEqual(rejection(wrong), [400, 'FLOW_INVALID'])
  t.is((await post(greeting('a'), { tests: expecting(1) })).status, 201)
  const other = { ...parsed(greeting('a')), nodes: [{ id: 'answer', type: 'respond', body: '{ hello: 3 }' }] }
  const change = (body: object) => ask({ method: 'PUT', path: '/flow-definitions/a', body })
  t.deepEqual(rejection(await change({ document: other })), [400, 'FLOW_TESTS_FAILED'])
  t.like(await change({ document: other, tests: null }), { status: 200, json: { version: 2, tests: null } })
})

test('a check returns what a save would, and saves nothing', async (t) => {
  const { ask } = await setUp()
  const check = (body: object) => ask({ method: 'POST', path: '/flow-definitions/check', body })
  const document = parsed(greeting('a'))
  t.deepEqual((await check({ document, tests: expecting(1) })).json, {
    diagnostics: [],
    tests: [{ name: 'it greets', passed: true }],
  })
  t.like((await check({ document, tests: expecting(2) })).json, { tests: [{ passed: false }] })
  const traced = await check({ document, tests: expecting(1), stepsOf: 'it greets' })
  t.like(traced.json, {
    tests: [{ passed: true, steps: [{ node: 'answer', type: 'respond', port: null }], omittedSteps: 0 }],
  })
  const unknown = await check({ document, tests: expecting(1), stepsOf: 'another' })
  t.like(unknown, {
    status: 400,
    json: { details: { errors: [{ path: 'stepsOf', message: 'is not the name of a test' }] } },
  })
  t.is((await check({ document, stepsOf: 'it greets' })).status, 400, 'there are no tests')
  const node = { id: 'x', type: 'get-item', list: 'missing', item: '"a"' }
  const { json } = await check({ document: { ...document, nodes: [node] } })
  t.true(JSON.stringify(json?.diagnostics).includes('UNKNOWN_LIST'))
  t.like(await ask({ path: '/flow-definitions' }), { json: { total: 0 } })
})

test('another document is the next version; activating a flow does not change the version; and a deleted flow frees name and path', async (t) => {
  const { ask, post } = await setUp()
  await post(greeting('a'))
  const path = '/flow-definitions/a'
  const patch = (body: object) => ask({ method: 'PATCH', path, body })
  t.like(await patch({ activated: false, logged: 'failures' }), {
    json: { version: 1, activated: false, logged: 'failures' },
  })
  t.like(
    await patch({ document: parsed(greeting('a')) }),
    { json: { version: 1, activated: false } },
    'the same document',
  )
  const moved = parsed(flowDocument({ name: 'a', path: 'moved' }))
  t.like(await patch({ document: moved }), { json: { version: 2, activated: false } })
  t.deepEqual(rejection(await patch({})), [400, 'VALIDATION_FAILED'])
  const { json } = await ask({ path: `${path}/versions` })
  t.deepEqual(
    (Object(json).data as { version: number }[]).map(({ version }) => version),
    [2, 1],
  )
  t.like(await ask({ path: `${path}/versions/1` }), {
    json: { version: 1, document: { entry: { path: 'a' } }, tests: null },
  })
  for (const version of ['3', '0', 'x', '1.0']) t.is((await ask({ path: `${path}/versions/${version}` })).status, 404)
  t.is((await ask({ method: 'DELETE', path })).status, 204)
  t.is((await ask({ path })).status, 404)
  t.is((await post(moved)).status, 201)
})

test('names and paths are unique in an account, even for concurrent flows', async (t) => {
  const { ask, post } = await setUp()
  const names = await Promise.all(
    Array.from({ length: 8 }, (_, n) => post(flowDocument({ name: n % 2 ? 'SAME' : 'same', path: `p${n}` }))),
  )
  t.deepEqual(names.map(rejection).toSorted(), [[201, null], ...Array(7).fill([409, 'FLOW_NAME_TAKEN'])])
  const paths = await Promise.all(
    Array.from({ length: 8 }, (_, n) => post(flowDocument({ name: `n${n}`, path: n % 2 ? 'Same' : 'same' }))),
  )
  t.deepEqual(paths.map(rejection).toSorted(), [[201, null], ...Array(7).fill([409, 'FLOW_PATH_TAKEN'])])
  await post(greeting('other'))
  const renamed = { document: parsed(flowDocument({ name: 'same', path: 'other' })) }
  t.deepEqual(rejection(await ask({ method: 'PUT', path: '/flow-definitions/other', body: renamed })), [
    409,
    'FLOW_NAME_TAKEN',
  ])
})

test('an account has at most the flows of its plan, even with concurrent creates', async (t) => {
  const { ask, post } = await setUp('small')
  const created = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => post(greeting(name))))
  t.deepEqual(created.map(({ status }) => status).toSorted(), [201, 201, 403, 403, 403])
  const rejected = created.find(({ status }) => status === 403)
  t.like(rejected?.json, { name: 'MAX_FLOWS_EXCEEDED', details: { limit: 'maxFlows', max: 2 } })
  t.like(await ask({ path: '/flow-definitions' }), { json: { total: 2 } })
})

test('concurrent changes are all stored, each as a separate version', async (t) => {
  const { ask, post } = await setUp()
  const { json } = await post(greeting('a'))
  const path = `/flow-definitions/${json?.id}`
  const changes = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      ask({ method: 'PUT', path, body: { document: parsed(flowDocument({ name: 'a', path: `p${n}` })) } }),
    ),
  )
  t.deepEqual(
    changes.map(({ status, json }) => [status, json?.version]).toSorted(),
    [2, 3, 4, 5, 6, 7].map((version) => [200, version]),
  )
})

test('a token sees the flows and the lists that its rules allow', async (t) => {
  const { account, ask, post } = await setUp()
  const ids = [await post(greeting('a')), await post(greeting('b'))].map(({ json }) => String(json?.id))
  await ask({ method: 'POST', path: '/lists', body: { pathName: 'secret' } })
  const headers = await account.token([
    { mode: 'allow', action: 'view', resourceType: 'flow', flowIds: [ids[0] ?? ''] },
    { mode: 'allow', action: 'create', resourceType: 'flow' },
  ])
  const page = await ask({ path: '/flow-definitions', headers })
  t.deepEqual(
    (Object(page.json).data as { name: string }[]).map(({ name }) => name),
    ['a'],
  )
  t.is((await ask({ path: `/flow-definitions/${ids[0]}`, headers })).status, 200)
  t.deepEqual(rejection(await ask({ path: `/flow-definitions/${ids[1]}`, headers })), [
    404,
    'REQUESTED_ENTITY_NOT_FOUND',
  ])
  const nodes = [
    { id: 'x', type: 'get-item', list: 'secret', item: '"a"' },
    { id: 'y', type: 'respond' },
  ]
  const document = { ...parsed(greeting('c')), nodes, edges: [['x', 'y']] }
  const check = { method: 'POST', path: '/flow-definitions/check', body: { document } }
  t.deepEqual((await ask(check)).json?.diagnostics, [])
  t.true(JSON.stringify((await ask({ ...check, headers })).json?.diagnostics).includes('UNKNOWN_LIST'))
})

test('the event log has every change, without the document', async (t) => {
  const { ask, post } = await setUp()
  const { json } = await post(greeting('a'))
  await ask({ method: 'PATCH', path: '/flow-definitions/a', body: { activated: false } })
  await ask({ method: 'DELETE', path: '/flow-definitions/a' })
  const events = await ask({ path: '/events?stream=flow&order=createdAt&direction=asc&includeSnapshot=true' })
  const data = Object(events.json).data as { type: string; modelId: string; snapshot: Record<string, unknown> }[]
  t.deepEqual(
    data.map(({ type }) => type),
    ['flow-created', 'flow-updated', 'flow-deleted'],
  )
  for (const { modelId, snapshot } of data) {
    t.is(modelId, String(json?.id))
    t.like(snapshot, { name: 'a', version: 1 })
    t.false('document' in snapshot || 'tests' in snapshot)
  }
})
