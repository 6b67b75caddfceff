import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../support/databases/lists.ts'
import { addFlow } from '../../../support/flows/stored-flows.ts'
import { type Credentials, makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
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

/** Adds a flow that is called at its name, and has these nodes in a row. @returns its id */
function add(name: string, nodes: readonly { id: string }[], entry: Record<string, unknown> = {}): Promise<string> {
  const edges = nodes.slice(1).map(({ id }, n) => [nodes[n]?.id, id])
  const document = { version: 1, name, entry: { type: 'endpoint', path: name, ...entry }, nodes, edges }
  return addFlow(gateway.deps.db, account.accountId, document)
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
