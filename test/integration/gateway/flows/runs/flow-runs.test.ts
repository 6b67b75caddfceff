import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { flowRunRoutes } from '#services/gateway/resources/flows/runs/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { addFlow } from '../../../../support/flows/stored-flows.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...flowRoutes, ...flowRunRoutes, ...itemRoutes] })
})

/** A flow that adds a card to a list, unless `n` is 7. */
const add = {
  version: 1,
  name: 'add',
  entry: {
    type: 'endpoint',
    path: 'add',
    input: { type: 'object', properties: { n: { type: 'number' } } },
  },
  nodes: [
    { id: 'small', type: 'require', when: 'input.n != 7', message: 'seven is taken' },
    { id: 'card', type: 'create-item', list: 'cards', data: '{n: input.n}' },
    { id: 'answer', type: 'respond', status: 201, body: '{id: steps.card.id, n: input.n}' },
  ],
  edges: [
    ['small', 'card'],
    ['card', 'answer'],
  ],
}

/** Calls of a user and of a token in a new account that has the flow. */
async function setUp(document: object = add) {
  const { db } = gateway.deps
  const account = await makeAccount(db)
  await addList(db, account.accountId, { pathName: 'cards' })
  const flowId = await addFlow(db, account.accountId, document)
  const token = await account.token()
  const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
  const run = (body: unknown, headers = token) => ask({ method: 'POST', path: '/flows/add', headers, body })
  return { account, token, flowId, ask, run }
}

const idsOf = ({ json }: Reply) => (Object(json).data as { id: string }[]).map(({ id }) => id)
const runId = ({ headers }: Reply) => String(headers['x-flow-run'])

test('a run is recorded with its input, each step, and its writes', async (t) => {
  const { token, flowId, ask, run } = await setUp()
  const created = await run('{"n": 9007199254740993}', { ...token, 'content-type': 'application/json' })
  t.is(created.status, 201, created.text)
  const stranger = (await setUp()).account.user
  t.is((await ask({ path: `/flow-runs/${runId(created)}`, headers: stranger })).status, 404)
  const shown = await ask({ path: `/flow-runs/${runId(created)}` })
  t.is(shown.status, 200, shown.text)
  const itemId = String(created.json?.id)
  t.like(shown.json, {
    id: runId(created),
    flowId,
    flowVersion: 1,
    trigger: { type: 'endpoint', requestId: created.headers['x-request-id'] },
    status: 'succeeded',
    attempts: 1,
    answer: { status: 201, headers: {}, body: created.json },
    emits: [],
    omittedSteps: 0,
  })
  const { writes, steps, error } = Object(shown.json)
  t.is(error, undefined)
  t.is(writes.length, 1)
  t.like(writes[0], { op: 'create', list: 'cards', itemId, node: 'card' })
  t.deepEqual(
    steps.map(({ node, port }: Record<string, unknown>) => [node, port]),
    [
      ['small', 'next'],
      ['card', 'next'],
      ['answer', null],
    ],
  )
  t.regex(shown.text, /"input":\{"n": ?9007199254740993\}/)
  t.true(shown.text.includes('"n":9007199254740993'))
})

type Reported = { actor: unknown; durationMs: number; steps: { durationMs: number }[] }

test('a run shows users who started it and how long each step took', async (t) => {
  const { account, token, ask, run } = await setUp()
  const { db } = gateway.deps
  const { accountId, userId } = account
  const ada = await makeIdentity(db, { accountId, name: 'Ada' })
  const open = await addFlow(db, accountId, {
    ...add,
    name: 'open',
    entry: { ...add.entry, path: 'open', public: true },
  })
  const ran = [
    await run({ n: 1 }),
    await run({ n: 7 }),
    await run({ n: 'x' }, { ...token, ...ada.headers }),
    await run({ n: 1 }, account.user),
    await call(gateway.port, { method: 'POST', path: `/flows/public/${open}`, body: { n: 1 } }),
  ]
  const tokenId = (await db.get(`select id from tokens where account_id = '${accountId}'`))?.id
  const byToken = { authMode: 'token', tokenId, identityId: null }
  const byUser = { authMode: 'user', tokenId: null, identityId: null, userId, userName: `${userId}@listd.example` }
  const expected = [byToken, byToken, { ...byToken, identityId: ada.identityId }, byUser, null]
  const page = Object((await ask({ path: '/flow-runs?direction=asc' })).json).data
  t.deepEqual(
    page.map(({ actor }: { actor: unknown }) => actor),
    expected,
  )
  for (const [n, of] of ran.entries()) {
    const { actor, steps, durationMs }: Reported = Object((await ask({ path: `/flow-runs/${runId(of)}` })).json)
    t.deepEqual(actor, expected[n])
    const times = steps.map((step) => step.durationMs)
    t.is(times.length, [3, 1, 0, 3, 3][n] ?? 0)
    t.true(times.every((ms) => ms > 0) && times.reduce((sum, ms) => sum + ms, 0) <= durationMs + 1, String(times))
  }
  const body = { input: { n: 1 }, identityId: ada.identityId }
  const hand = await ask({ method: 'POST', path: `/flow-definitions/${open}/run`, body })
  t.deepEqual(Object(hand.json).actor, { ...byUser, identityId: ada.identityId })
})

test('pages show runs without their steps, newest first, by flow, status, trigger and time', async (t) => {
  const { account, flowId, ask, run } = await setUp()
  const other = await addFlow(gateway.deps.db, account.accountId, {
    ...add,
    name: 'b',
    entry: { ...add.entry, path: 'b' },
  })
  const ran = [await run({ n: 1 }), await run({ n: 7 }), await run({ n: 'x' })]
  const [good = '', failed = '', rejected = ''] = ran.map(runId)
  t.deepEqual(
    ran.map(({ status }) => status),
    [201, 400, 400],
  )
  const page = await ask({ path: '/flow-runs' })
  t.like(page.json, { page: 1, limit: 20, total: 3 })
  t.deepEqual(idsOf(page), [rejected, failed, good])
  const [first, second] = Object(page.json).data
  t.like(second, {
    status: 'failed',
    error: { code: 'REQUIRE_FAILED', node: 'small', message: 'seven is taken' },
    writes: [],
  })
  t.like(first, { status: 'refused', attempts: 0, error: { code: 'VALIDATION_FAILED', status: 400 } })
  for (const shown of [first, second])
    for (const name of ['steps', 'seed', 'input', 'answer']) t.false(name in shown, name)
  const { startedAt } = second
  const expected: [string, string[]][] = [
    [`flowId=${flowId}`, [rejected, failed, good]],
    [`flowId=${other}`, []],
    ['status=failed', [failed]],
    [`flowId=${flowId}&status=refused`, [rejected]],
    ['trigger=hand', []],
    ['trigger=endpoint&status=succeeded', [good]],
    ['endAt=2020-01-01', []],
    [`startAt=${encodeURIComponent(startedAt)}&status=succeeded&endAt=2020-01-01`, []],
    ['startAt=2020-01-01&direction=asc&order=createdAt', [good, failed, rejected]],
  ]
  for (const [query, ids] of expected) {
    t.deepEqual(idsOf(await ask({ path: `/flow-runs?${query}` })), ids, query)
    t.deepEqual(idsOf(await ask({ path: `/flow-runs?after=&${query}` })), ids, query)
  }
  t.deepEqual(idsOf(await ask({ path: '/flow-runs', headers: (await setUp()).account.user })), [])
  t.is((await ask({ path: '/flow-runs?flowId=add' })).status, 400)
})

test('runs are only shown to users', async (t) => {
  const { token, ask, run } = await setUp()
  for (const path of ['/flow-runs', `/flow-runs/${runId(await run({ n: 1 }))}`]) {
    t.like(await ask({ path, headers: token }), { status: 403, json: { name: 'USER_MODE_REQUIRED' } })
    t.like(await ask({ path, headers: {} }), { status: 401, json: { name: 'USER_NOT_AUTHENTICATED' } })
  }
  for (const id of ['x', '0190f5fe-7c00-7a00-8000-000000000001', '%00']) {
    t.like(await ask({ path: `/flow-runs/${id}` }), { status: 404, json: { name: 'REQUESTED_ENTITY_NOT_FOUND' } })
  }
})
