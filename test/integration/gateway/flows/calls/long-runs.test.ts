import test from 'ava'
import { createLongFlowRuns, turnOf } from '#services/gateway/admission/long-flow-runs.ts'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { addFlow, runsOf } from '../../../../support/flows/stored-flows.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()

/** Nodes that need about 100,000 steps together; each expression stays within its own limit. */
const longNodes = Array.from({ length: 8 }, (_, n) => ({
  id: `n${n}`,
  type: 'compute',
  value: 'count(map(range(2400), i => i))',
}))

async function setUp() {
  const longFlowRuns = createLongFlowRuns({
    atOnce: 4,
    perAccount: 1,
    waiting: { all: 10, account: 1 },
    waitMs: 60_000,
  })
  const gateway = await startGateway(cleanup, {
    routes: [...flowRoutes, ...itemRoutes],
    adapt: (deps) => ({ ...deps, longFlowRuns }),
  })
  const { db } = gateway.deps
  const account = await makeAccount(db)
  const headers = await account.token()
  await addList(db, account.accountId, { pathName: 'cards' })
  const add = (name: string, nodes: readonly { id: string }[], more: Record<string, unknown> = {}) =>
    addFlow(db, account.accountId, {
      version: 1,
      name,
      entry: { type: 'endpoint', path: name, ...more },
      nodes,
      edges: nodes.slice(1).map(({ id }, n) => [nodes[n]?.id, id]),
    })
  const ask = (request: Call) => call(gateway.port, { method: 'POST', headers, ...request })
  return { gateway, db, account, longFlowRuns, add, ask }
}

test('long runs take turns by account, those of callers without credentials separately, and short runs take no turns', async (t) => {
  const { gateway, account, longFlowRuns, add, ask } = await setUp()
  await add('long', longNodes)
  await add('short', [{ id: 'a', type: 'respond', body: '1' } as never])
  const open = await add('open', longNodes, { public: true })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const holder = longFlowRuns.enter(turnOf(account.accountId, { isAnybody: false }), () => held)
  const waits = ask({ path: '/flows/long', body: {} })
  t.is((await ask({ path: '/flows/short', body: {} })).status, 200)
  t.is((await call(gateway.port, { method: 'POST', path: `/flows/public/${open}`, body: {} })).status, 204)
  const other = ask({ path: '/flows/long', body: {} })
  const [rejected] = await Promise.all([Promise.race([waits, other])])
  t.like(rejected, { status: 429, json: { name: 'RATE_LIMIT_EXCEEDED' }, headers: { 'retry-after': '5' } })
  release()
  await holder
  const statuses = (await Promise.all([waits, other])).map(({ status }) => status)
  t.deepEqual(statuses.sort(), [204, 429])
})

test('a run that waits for its turn lets others change what it has read, and is computed from the new state', async (t) => {
  const { account, longFlowRuns, add, ask } = await setUp()
  const { json } = await ask({ path: '/lists/cards/items', body: { data: { n: 0 } } })
  const id = String(json?.id)
  const update = { type: 'update-item', list: 'cards', item: 'input.id', merge: '{n: steps.card.data.n + 1}' }
  const card = { id: 'card', type: 'get-item', list: 'cards', item: 'input.id' }
  await add('grow', [card, ...longNodes, { id: 'grow', ...update }] as never)
  await add('add', [card, { id: 'grow', ...update }] as never)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const holder = longFlowRuns.enter(turnOf(account.accountId, { isAnybody: false }), () => held)
  const long = ask({ path: '/flows/grow', body: { id } })
  for (let n = 0; n < 5; n++) t.is((await ask({ path: '/flows/add', body: { id } })).status, 204)
  t.is((await ask({ method: 'PUT', path: `/lists/cards/items/${id}`, body: { data: { n: 7 } } })).status, 200)
  release()
  await holder
  t.is((await long).status, 204)
  t.like((await ask({ method: 'GET', path: `/lists/cards/items/${id}` })).json, { data: { n: 8 } })
})

test('a call that repeatedly merges into a long item ends at the byte limit, and is recorded', async (t) => {
  const { db, add, ask } = await setUp()
  const text = 'x'.repeat(512 * 1024)
  const { json } = await ask({ path: '/lists/cards/items', body: { data: { text } } })
  const merge = {
    id: 'm',
    type: 'update-item',
    list: 'cards',
    item: `"${json?.id}"`,
    merge: '{n: item}',
    each: 'range(99)',
  }
  const flowId = await add('merges', [merge as never], { public: true })
  const { status, json: failed } = await ask({ path: '/flows/merges', body: {} })
  t.is(status, 422)
  t.like(failed, { details: { code: 'LIMIT', node: 'm', place: { index: 15 } } })
  const [run] = await runsOf(db, flowId)
  t.like(JSON.parse(run?.report ?? ''), { error: { message: 'a run writes and emits at most 8 MiB' } })
})
