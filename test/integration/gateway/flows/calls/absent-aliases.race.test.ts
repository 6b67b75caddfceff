import test from 'ava'
import { flowRoutes } from '#services/gateway/resources/flows/calls/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { race } from '../../../../support/databases/race.ts'
import { addFlow, runsOf } from '../../../../support/flows/stored-flows.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { call } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway } from '../../../../support/http/gateway.ts'
import type { Teardown } from '../../../../support/test-context/teardown.ts'

/** A flow that counts in the item of a key, and creates the item if it does not exist. */
const count = {
  version: 1,
  name: 'count',
  entry: { type: 'endpoint', path: 'count' },
  nodes: [
    { id: 'seat', type: 'get-item', list: 'seats', item: 'input.key' },
    { id: 'there', type: 'condition', when: 'steps.seat != null' },
    { id: 'more', type: 'update-item', list: 'seats', item: 'input.key', merge: '{n: steps.seat.data.n + 1}' },
    { id: 'first', type: 'create-item', list: 'seats', data: '{key: input.key, n: 1}' },
    { id: 'end', type: 'respond', status: 200, body: '(steps.more ?? steps.first).data.n' },
  ],
  edges: [
    ['seat', 'there'],
    ['there', 'more', 'true'],
    ['there', 'first', 'false'],
    ['more', 'end'],
    ['first', 'end'],
  ],
}

/** Two gateways on one database, a list of events, and a list of seats with a key. */
async function world(t: Teardown) {
  const routes = [...flowRoutes, ...itemRoutes]
  const first = await startGateway(t, { routes })
  const second = await startGateway(t, { routes, env: sharedSettings(first.deps.config) })
  const { db } = first.deps
  const { accountId, token } = await makeAccount(db)
  const headers = await token()
  await addList(db, accountId, { pathName: 'events' })
  await addList(db, accountId, {
    pathName: 'seats',
    indexes: [{ pathName: 'key', pointer: '/key', alias: true }],
  })
  const flowId = await addFlow(db, accountId, count)
  const post = (path: string, body: unknown, port = first.port) => call(port, { method: 'POST', path, body, headers })
  const run = (key: string, port = first.port) => post('/flows/count', { key }, port)
  const failed = async () => (await runsOf(db, flowId)).filter(({ status }) => status !== 'succeeded')
  return { post, run, failed, ports: [first.port, second.port] }
}

test('an item is created with the id of an item of another list, and then found by it', async (t) => {
  const { post, run, failed } = await world(t)
  const { json } = await post('/lists/events/items', { data: {} })
  const key = String(json?.id)
  for (const n of [1, 2, 3]) t.like(await run(key), { status: 200, text: String(n) })
  t.deepEqual(await failed(), [])
})

test('of 200 concurrent runs that create an item by an alias if it does not exist, all succeed and none is lost', async (t) => {
  const { run, failed } = await world(t)
  const replies = await Promise.all(Array.from({ length: 200 }, () => run('row-1')))
  const others = replies.filter(({ status }) => status !== 200)
  t.deepEqual(
    others.map(({ status, text }) => `${status} ${text}`),
    [],
  )
  t.deepEqual(await failed(), [])
  const counted = replies.map(({ text }) => Number(text)).sort((one, other) => one - other)
  t.deepEqual(
    counted,
    Array.from({ length: 200 }, (_, n) => n + 1),
  )
})

test('the same applies to runs of two gateways', async (t) => {
  const { run, failed, ports } = await world(t)
  const replies = await race(200, (n) => run(`row-${n >> 3}`, ports[n % 2]))
  t.deepEqual(
    replies.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`),
    [],
  )
  t.deepEqual(await failed(), [])
  for (const row of Array.from({ length: 25 }, (_, n) => n)) {
    const counted = replies.slice(row * 8, row * 8 + 8).map(({ text }) => Number(text))
    t.deepEqual(counted.sort(), [1, 2, 3, 4, 5, 6, 7, 8])
  }
})
