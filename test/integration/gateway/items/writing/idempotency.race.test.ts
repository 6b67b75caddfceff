import test from 'ava'
import { itemBatchRoutes } from '#services/gateway/resources/items/batch/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { call } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway } from '../../../../support/http/gateway.ts'
import type { Teardown } from '../../../../support/test-context/teardown.ts'

const items = '/lists/recipes/items'

/** Two gateways on one database, which receive requests with one key in turn. */
async function world(t: Teardown) {
  const routes = [...itemRoutes, ...itemBatchRoutes]
  const first = await startGateway(t, { routes })
  const second = await startGateway(t, { routes, env: sharedSettings(first.deps.config) })
  const { db } = first.deps
  const account = await makeAccount(db)
  await addList(db, account.accountId)
  const headers = { ...account.user, 'idempotency-key': 'the same' }
  const ports = [first.port, second.port]
  const send = (path: string, body: (n: number) => unknown) =>
    Promise.all(upTo(16).map((n) => call(ports[n % 2] ?? 0, { method: 'POST', path, headers, body: body(n) })))
  const events = () => db.all<{ type: string }>('select type from events')
  return { send, events, db }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test('concurrent creates with the same key create one item, and all get the same response', async (t) => {
  const { send, events, db } = await world(t)
  const replies = await send(items, () => ({ data: { n: 1 } }))
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [201])
  t.is(new Set(replies.map(({ text }) => text)).size, 1)
  t.is((await events()).length, 1)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1)
})

test('of concurrent batches with the same key one is executed, and all get the same response', async (t) => {
  const { send, events } = await world(t)
  const replies = await send(`${items}/batch`, () => ({ operations: upTo(5).map((n) => ({ op: 'create', data: n })) }))
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  t.is(new Set(replies.map(({ text }) => text)).size, 1)
  t.is((await events()).length, 5)
})

test('of different concurrent creates with the same key one is executed, and the others are 409', async (t) => {
  const { send, events } = await world(t)
  const replies = await send(items, (n) => ({ data: n }))
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [201, ...Array(15).fill(409)])
  t.is((await events()).length, 1)
})
