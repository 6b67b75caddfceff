import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { flowDefinitionRoutes } from '#services/gateway/resources/flows/definitions/routes.ts'
import { identityGroupRoutes } from '#services/gateway/resources/identity-groups/routes.ts'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { addFlow } from '../../../../support/flows/stored-flows.ts'
import { errorPaths } from '../../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../../support/http/gateway.ts'
import { afterAll } from '../../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let item: string

const items = '/lists/recipes/items'
const json = { 'content-type': 'application/json' }
const ask = (request: Call) => call(gateway.port, { ...request, headers: { ...account.user, ...request.headers } })

test.before(async () => {
  const routes = [...itemRoutes, ...itemDataRoutes, ...itemBatchRoutes, ...flowRoutes, ...flowDefinitionRoutes]
  gateway = await startGateway(cleanup, { routes: [...routes, ...identityGroupRoutes] })
  account = await makeAccount(gateway.deps.db)
  await addList(gateway.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  item = `${items}/${(await ask({ method: 'POST', path: items, body: { data: { slug: 'a' } } })).json?.id}`
})

/** Every way to write an alias. */
const writes: Record<string, (slug: string) => Call> = {
  'a create': (slug) => ({ method: 'POST', path: items, body: { data: { slug } } }),
  'a dry run': (slug) => ({ method: 'POST', path: `${items}?dryRun=true`, body: { data: { slug } } }),
  'an update': (slug) => ({ method: 'PUT', path: item, body: { data: { slug } } }),
  'data that are replaced': (slug) => ({ method: 'PUT', path: `${item}/data`, body: { slug } }),
  'a value': (slug) => ({ method: 'PUT', path: `${item}/data/slug`, headers: json, body: JSON.stringify(slug) }),
  'a merge': (slug) => ({ method: 'POST', path: `${item}/data`, body: { slug } }),
  'a patch': (value) => ({ method: 'PATCH', path: `${item}/data`, body: [{ op: 'replace', path: '/slug', value }] }),
}
for (const [what, request] of Object.entries(writes)) {
  test(`${what} with an alias that no address can name is 400 and names it`, async (t) => {
    for (const slug of ['', '.', '..']) {
      const reply = await ask(request(slug))
      t.deepEqual([reply.status, errorPaths(reply)], [400, ['data.slug']], reply.text)
    }
    t.deepEqual((await ask({ path: `${item}/data` })).json, { slug: 'a' })
  })
}

test('this also applies in a batch, and in a run of a flow', async (t) => {
  const operations = [{ op: 'create', data: { slug: '..' } }]
  const batch = await ask({ method: 'POST', path: `${items}/batch`, body: { operations } })
  t.deepEqual([batch.status, errorPaths(batch).length], [400, 1], batch.text)
  const nodes = [{ id: 'a', type: 'create-item', list: 'recipes', data: "{slug: '.'}" }]
  const document = { version: 1, name: 'dots', entry: { type: 'endpoint', path: 'dots' }, nodes }
  await addFlow(gateway.deps.db, account.accountId, document)
  const run = await call(gateway.port, { method: 'POST', path: '/flows/dots', headers: await account.token() })
  t.like(run.json, { name: 'FLOW_FAILED', details: { code: 'VALIDATION_FAILED', node: 'a' } })
})

test('an item that has such an alias keeps it, is found by its id, and can be restored', async (t) => {
  const created = await ask({ method: 'POST', path: items, body: { data: { slug: 'old', n: 1 } } })
  const path = `${items}/${created.json?.id}`
  const { db } = gateway.deps
  const id = String(created.json?.id)
  await db.run('update items set data = ? where id = ?', ['{"slug":"..","n":1}', id])
  await db.run("update events set snapshot = replace(snapshot, 'old', '..') where model_id = ?", [id])
  const put = await ask({ method: 'PUT', path: `${path}/data/n`, headers: json, body: '2' })
  t.deepEqual([put.status, put.json?.data], [200, { slug: '..', n: 2 }])
  t.is((await ask({ method: 'PUT', path, body: { description: 'd' } })).status, 200)
  t.is((await ask({ method: 'PUT', path, body: { data: { slug: '.', n: 2 } } })).status, 400)
  const event = await db.get<{ id: string }>('select id from events where model_id = ? order by id limit 1', [id])
  const restored = await ask({ method: 'POST', path: `${path}/events/${event?.id}/restore` })
  t.deepEqual([restored.status, restored.json?.data], [200, { slug: '..', n: 1 }], restored.text)
})

test('flows and groups of identities cannot have such a name', async (t) => {
  for (const name of ['.', '..']) {
    const nodes = [{ id: 'a', type: 'respond' }]
    const document = { version: 1, name, entry: { type: 'endpoint', path: 'named' }, nodes }
    const flow = await ask({ method: 'POST', path: '/flow-definitions', body: { document } })
    t.is(flow.status, 400)
    t.regex(flow.text, /which URLs cannot address/)
    const group = await ask({ method: 'POST', path: '/identity-groups', body: { name } })
    t.deepEqual([group.status, errorPaths(group)], [400, ['name']])
  }
})
