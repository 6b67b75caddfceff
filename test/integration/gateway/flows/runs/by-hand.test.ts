import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { flowRunRoutes } from '#services/gateway/resources/flows/runs/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeWebhook } from '../../../../support/databases/contents/rows.ts'
import { addFlow } from '../../../../support/flows/stored-flows.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { makeIdentity } from '../../../../support/identity/identities.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...flowRoutes, ...flowRunRoutes, ...itemRoutes] })
})

/** A flow that adds a card with a random number and the caller's name, and emits to a webhook. */
const draw = (webhook: string) => ({
  version: 1,
  name: 'draw',
  entry: { type: 'endpoint', path: 'draw', input: { type: 'object', properties: { slug: { type: 'string' } } } },
  nodes: [
    { id: 'open', type: 'require', when: 'input.slug != "shut"', message: 'it is shut' },
    {
      id: 'card',
      type: 'create-item',
      list: 'cards',
      data: '{ slug: input.slug, chance: random(), by: identity?.name }',
    },
    { id: 'emit', type: 'emit', webhooks: [webhook], payload: '{ card: steps.card.id }' },
    { id: 'answer', type: 'respond', body: '{ by: identity, token: token, chance: steps.card.data.chance }' },
  ],
  edges: [
    ['open', 'card'],
    ['card', 'emit'],
    ['emit', 'answer'],
  ],
})

const keeps = Array.from({ length: 7 }, (_, n) => ({
  id: `keep${n}`,
  type: 'create-item',
  list: 'cards',
  data: 'input.small',
  each: 'range(4)',
}))

/** A flow that creates items with `small` and emits its whole input: each is within its limit, but together they are too much. */
const copies = (webhook: string) => ({
  version: 1,
  name: 'copies',
  entry: { type: 'endpoint', path: 'copies' },
  nodes: [...keeps, { id: 'emit', type: 'emit', webhooks: [webhook], payload: 'input', each: 'range(input.events)' }],
  edges: keeps.map(({ id }, n) => [id, keeps[n + 1]?.id ?? 'emit']),
})

async function setUp(more: Parameters<typeof addFlow>[3] = { activated: false }) {
  const { db } = gateway.deps
  const account = await makeAccount(db)
  const { accountId } = account
  const indexes = [{ pathName: 'slug', pointer: '/slug', alias: true }]
  const schema = { properties: { slug: { maxLength: 10 } } }
  await addList(db, accountId, { pathName: 'cards', indexes, schema })
  const webhook = await makeWebhook(db, { accountId })
  const flowId = await addFlow(db, accountId, draw(webhook), more)
  const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
  const post = (path: string, body?: object) => ask({ method: 'POST', path, ...(body && { body }) })
  const run = (body?: object) => post(`/flow-definitions/${flowId}/run`, body)
  const rows = async () => {
    const count = async (table: string) =>
      Number((await db.get(`select count(*) as n from ${table} where account_id = '${accountId}'`))?.n)
    return { items: await count('items'), runs: await count('flow_runs'), outbox: await count('outbox') }
  }
  return { db, account, accountId, flowId, webhook, ask, post, run, rows }
}

test('a user runs a flow that is not activated, and its run is recorded as one by hand', async (t) => {
  const { flowId, webhook, ask, run, rows } = await setUp()
  const created = await run({ input: { slug: 'a', n: 1 } })
  t.is(created.status, 200, created.text)
  t.like(created.json, { flowId, status: 'succeeded', trigger: { type: 'hand' }, attempts: 1 })
  const { id, writes, emits } = Object(created.json)
  t.like(writes[0], { op: 'create', list: 'cards', node: 'card' })
  t.like(emits[0], { webhookId: webhook, node: 'emit' })
  t.deepEqual(await rows(), { items: 1, runs: 1, outbox: 2 })
  t.is((await ask({ path: '/flow-runs?trigger=hand' })).json?.total, 1)
  const { durationMs: _shown, ...shown } = Object(created.json)
  const { durationMs: _kept, ...kept } = Object((await ask({ path: `/flow-runs/${id}` })).json)
  t.deepEqual(kept, shown)
})

test('a dry run returns what a run would write, with the rules of items, and stores nothing', async (t) => {
  const { run, rows } = await setUp()
  const dry = (slug: string) => run({ input: { slug }, dryRun: true })
  const nothing = await rows()
  t.deepEqual(nothing, { items: 0, runs: 0, outbox: 0 })
  const tried = await dry('a')
  t.like(tried.json, { status: 'succeeded', writes: [{ op: 'create', list: 'cards' }], emits: [{ node: 'emit' }] })
  t.like((await dry('x'.repeat(11))).json, {
    status: 'failed',
    error: { code: 'SCHEMA_INVALID', node: 'card' },
    writes: [],
  })
  t.like((await dry('shut')).json, { status: 'failed', error: { code: 'REQUIRE_FAILED', node: 'open' } })
  t.like((await run({ input: { slug: 1 }, dryRun: true })).json, {
    status: 'refused',
    error: { code: 'VALIDATION_FAILED' },
  })
  t.deepEqual(await rows(), nothing)
  await run({ input: { slug: 'a' } })
  const kept = await rows()
  t.like((await dry('a')).json, { status: 'failed', error: { code: 'ITEM_ALIAS_TAKEN', node: 'card' } })
  t.deepEqual(await rows(), kept)
})

test('a run that writes and emits too much fails at the responsible node, dry or not, and stores nothing', async (t) => {
  const { db, accountId, webhook, post, rows } = await setUp()
  const flowId = await addFlow(db, accountId, copies(webhook))
  const run = async (body: object) => (await post(`/flow-definitions/${flowId}/run`, body)).json
  const input = { small: 'x'.repeat(250_000), events: 20, rest: 'x'.repeat(750_000) }
  const rejected = { status: 'failed', error: { code: 'LIMIT', node: 'emit' }, writes: [], emits: [] }
  t.like(await run({ input, dryRun: true }), rejected)
  t.like(await run({ input: { ...input, events: 0 }, dryRun: true }), { status: 'succeeded' })
  t.like(await run({ input }), rejected)
  t.deepEqual(await rows(), { items: 0, runs: 1, outbox: 0 })
})

test('a run by hand sees the identity that it names, and no token', async (t) => {
  const { db, account, accountId, run } = await setUp()
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada', group: 'crew' })
  const { json } = await run({ input: { slug: 'a' }, identityId })
  t.like(Object(json).answer.body, { by: { id: identityId, name: 'Ada', group: 'crew' }, token: null })
  t.like(Object((await run({ input: { slug: 'b' } })).json).answer.body, { by: null, token: null })
  const foreign = await makeIdentity(db, { accountId: (await setUp()).accountId, name: 'Eve' })
  for (const wrong of [foreign.identityId, 'ada', '', 1]) {
    t.like(await run({ identityId: wrong }), { status: 400, json: { name: 'VALIDATION_FAILED' } }, String(wrong))
  }
  t.is(account.accountId, accountId)
})

test('a failed run is repeated with its input and its seed, on the current version of the document', async (t) => {
  const { db, accountId, webhook, ask, post, run, rows } = await setUp()
  const first = await run({ input: { slug: 'a' } })
  const { id, seed } = Object(first.json)
  t.like((await post(`/flow-runs/${id}/repeat`)).json, { status: 'failed', error: { code: 'ITEM_ALIAS_TAKEN' } })
  t.is((await ask({ method: 'DELETE', path: '/lists/cards/items/a' })).status, 200)
  const again = await post(`/flow-runs/${id}/repeat`, {})
  t.is(again.status, 201, again.text)
  t.like(again.json, { status: 'succeeded', seed, input: { slug: 'a' }, trigger: { type: 'hand' } })
  t.not(again.json?.id, id)
  t.is(Object(again.json).answer.body.chance, Object(first.json).answer.body.chance)
  t.is((await rows()).runs, 3)

  const long = await run({ input: { slug: 'b', text: 'x'.repeat(64 * 1024) } })
  t.false('input' in Object(long.json))
  t.like(await post(`/flow-runs/${long.json?.id}/repeat`), { status: 409, json: { name: 'FLOW_RUN_NOT_REPEATABLE' } })
  const other = await addFlow(db, accountId, {
    ...draw(webhook),
    name: 'other',
    entry: { type: 'endpoint', path: 'o' },
  })
  const { json } = await post(`/flow-definitions/other/run`, { input: { slug: 'c' } })
  await db.run(`delete from flows where id = '${other}'`)
  for (const gone of [json?.id, '0190f5fe-7c00-7a00-8000-000000000001']) {
    t.is((await post(`/flow-runs/${gone}/repeat`)).status, 404)
  }
  t.is((await ask({ path: `/flow-runs/${json?.id}` })).status, 200)
})

test('a flow that records only failures shows a successful run by hand, but does not record it', async (t) => {
  const { run, rows } = await setUp({ logged: 'failures' })
  t.like((await run({ input: { slug: 'a' } })).json, { status: 'succeeded', writes: [{ op: 'create' }] })
  t.deepEqual(await rows(), { items: 1, runs: 0, outbox: 2 })
  t.like((await run({ input: { slug: 'shut' } })).json, { status: 'failed' })
  t.is((await rows()).runs, 1)
})

test('no token may run a flow by hand or repeat a run', async (t) => {
  const { account, flowId, post, run } = await setUp()
  const headers = await account.token()
  for (const path of [`/flow-definitions/${flowId}/run`, `/flow-runs/${(await run()).json?.id}/repeat`]) {
    const rejected = await call(gateway.port, { method: 'POST', path, headers })
    t.like(rejected, { status: 403, json: { name: 'USER_MODE_REQUIRED' } })
    t.is((await post(path)).status, path.endsWith('run') ? 200 : 201)
  }
  t.is((await post('/flow-definitions/nowhere/run')).status, 404)
})
