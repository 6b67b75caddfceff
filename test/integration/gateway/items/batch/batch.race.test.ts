import test from 'ava'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway } from '../../../../support/http/gateway.ts'
import type { Teardown } from '../../../../support/test-context/teardown.ts'

const items = '/lists/recipes/items'

/** Two gateways on one database, which receive requests in turn, and a list of ten items. */
async function world(t: Teardown) {
  const routes = [...itemRoutes, ...itemBatchRoutes]
  const first = await startGateway(t, { routes })
  const second = await startGateway(t, { routes, env: sharedSettings(first.deps.config) })
  const { db } = first.deps
  const account = await makeAccount(db)
  await addList(db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  const ports = [first.port, second.port]
  const ask = (request: Call, n = 0) => call(ports[n % 2] ?? 0, { method: 'POST', headers: account.user, ...request })
  const batch = (operations: unknown[], n = 0) => ask({ path: `${items}/batch`, body: { operations } }, n)
  const created = await batch(upTo(10).map((n) => ({ op: 'create', data: { slug: `s-${n}` } })))
  const ids = resultsOf(created).map(({ item }) => item.id)
  return { ask, batch, ids, db }
}

const resultsOf = ({ json }: Reply) => json?.results as { item: { id: string } }[]
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test('batches together with single writes lose no update, and each is applied as a whole', async (t) => {
  const { ask, batch, ids, db } = await world(t)
  const batches = upTo(6).map((n) => {
    const order = n % 2 ? ids : ids.toReversed()
    return batch(
      order.map((item, at) => ({
        op: 'update',
        item: at % 3 ? item : `s-${ids.indexOf(item) + 1}`,
        description: `${n}`,
      })),
      n,
    )
  })
  const singles = upTo(20).map((n) =>
    ask({ method: 'PUT', path: `${items}/${ids[n % ids.length]}`, body: { tags: [`t-${n}`] } }, n),
  )
  const replies = await Promise.all([...batches, ...singles])
  // On an overloaded machine, a change may be answered with 503.
  t.deepEqual(
    replies.filter(({ status }) => status !== 200 && status !== 503),
    [],
  )
  const done = replies.map(({ status }) => status === 200)
  t.true(done.some(Boolean))
  const rows = await db.all<{ id: string; revision: number; description: string }>(
    'select id, revision, description from items',
  )
  const ofBatches = done.slice(0, 6).filter(Boolean).length
  for (const { id, revision } of rows) {
    const own = done.slice(6).filter((ok, n) => ok && ids[(n + 1) % ids.length] === id).length
    t.is(revision, 1 + ofBatches + own)
  }
  t.is(new Set(rows.map(({ description }) => description)).size, 1)
})

test('of batches that create the same alias exactly one is applied, as a whole', async (t) => {
  const { batch, db } = await world(t)
  const creates = (n: number) => [
    { op: 'create', data: { slug: `own-${n}` } },
    { op: 'create', data: { slug: 'same' } },
  ]
  const replies = await Promise.all(upTo(8).map((n) => batch(creates(n), n)))
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(409)])
  const rejected = replies.filter(({ status }) => status === 409)
  t.true(rejected.every(({ json }) => Object(json?.details).operation === 1))
  t.is((await db.get<{ n: number }>('select count(*) as n from items'))?.n, 12)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 12)
})

test('a batch swaps the aliases of two items', async (t) => {
  const { ask, batch, ids } = await world(t)
  const swap = [
    { op: 'update', item: ids[0], data: { slug: 's-2' } },
    { op: 'update', item: ids[1], data: { slug: 's-1' } },
  ]
  t.is((await batch(swap)).status, 200)
  t.is((await ask({ method: 'GET', path: `${items}/s-2` })).json?.id, ids[0])
})

test('concurrent batches that put the same aliases all succeed, in any order', async (t) => {
  const { batch, db } = await world(t)
  const puts = (n: number) => {
    const operations = ['one', 'two', 's-1'].map((item) => ({ op: 'put', item, data: { slug: item, n } }))
    return n % 2 ? operations : operations.toReversed()
  }
  const replies = await Promise.all(upTo(8).map((n) => batch(puts(n), n)))
  t.deepEqual(
    replies.map(({ status }) => status),
    Array(8).fill(200),
  )
  const statuses = replies.flatMap(({ json }) => Object(json).results.map(({ status }: { status: number }) => status))
  t.is(statuses.filter((status) => status === 201).length, 2)
  const rows = await db.all<{ data: string }>('select data from items where data like \'%"n"%\'')
  t.deepEqual(new Set(rows.map(({ data }) => JSON.parse(data).n)).size, 1)
  t.is((await db.get<{ n: number }>('select count(*) as n from items'))?.n, 12)
})
