import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../support/databases/lists.ts'
import { addFlow } from '../../../support/flows/stored-flows.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { errorPaths } from '../../../support/http/wire-errors.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Credentials

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...flowRoutes, ...itemRoutes] })
  const { db } = gateway.deps
  account = await makeAccount(db)
  token = await account.token()
  await addList(db, account.accountId, { pathName: 'cards' })
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })

type Node = { id: string; [property: string]: unknown }

/** Adds a flow that is called at its name, and has these nodes in a row. @returns its id */
function add(
  name: string,
  nodes: readonly Node[],
  { logged = 'all', ...entry }: { logged?: 'all' | 'failures'; public?: boolean; method?: string } = {},
): Promise<string> {
  const edges = nodes.slice(1).map(({ id }, n) => [nodes[n]?.id, id])
  const document = { version: 1, name, entry: { type: 'endpoint', path: name, ...entry }, nodes, edges }
  return addFlow(gateway.deps.db, account.accountId, document, { logged })
}

const answer = (body: string, more: Record<string, unknown> = {}) => ({ id: 'answer', type: 'respond', body, ...more })

test('pages of a flow have drafts only where it asks for them, and nodes that name an item find it all the same', async (t) => {
  await addList(gateway.deps.db, account.accountId, { pathName: 'notes' })
  const items = '/lists/notes/items'
  const make = async (body: unknown) => String((await ask({ method: 'POST', path: items, body })).json?.id)
  await make({ data: 'out' })
  const draft = await make({ data: 'draft', activated: false })
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

const make = { id: 'make', type: 'create-item', list: 'cards', data: 'input.name' }
const countOf = async (name: string) => {
  const { json } = await ask({ path: `/lists/cards/items?limit=100&includeData=true` })
  return (Object(json).data as { data: unknown }[]).filter(({ data }) => data === name).length
}

test('a call that is sent again with its idempotency key is answered as the first was, and runs once', async (t) => {
  await add('order', [make, answer('steps.make.id', { status: 201, headers: { 'x-by': '"flow"' } })])
  await add('order-too', [make, answer('steps.make.id')])
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

test('a run that failed keeps no key, and one that writes nothing and leaves no record does', async (t) => {
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
