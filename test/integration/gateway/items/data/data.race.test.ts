import test from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { call } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway } from '../../../../support/http/gateway.ts'

const items = '/lists/recipes/items'
const everybody = 30

test('concurrent merges of one item at two gateways lose nothing that was acknowledged', async (t) => {
  const routes = [...itemRoutes, ...itemDataRoutes]
  const first = await startGateway(t, { routes })
  const second = await startGateway(t, { routes, env: sharedSettings(first.deps.config) })
  const account = await makeAccount(first.deps.db)
  await addList(first.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  const { user: headers } = account
  const data = { slug: 'one', list: [], members: {} }
  const created = await call(first.port, { method: 'POST', path: items, headers, body: { data } })
  const merge = async (n: number) => {
    const path = `${items}/${n % 3 === 0 ? created.json?.id : 'one'}/data`
    const body = { list: [n], members: { [`member-${n}`]: n } }
    const { status } = await call(n % 2 ? first.port : second.port, { method: 'POST', path, headers, body })
    return { n, status }
  }
  const replies = await Promise.all(Array.from({ length: everybody }, (_, n) => merge(n)))
  // On an overloaded machine, a merge may be answered with 503.
  t.deepEqual(
    replies.filter(({ status }) => status !== 200 && status !== 503),
    [],
  )
  const acknowledged = replies.filter(({ status }) => status === 200).map(({ n }) => n)
  t.true(acknowledged.length > 0)

  const { json } = await call(first.port, { path: `${items}/one`, headers })
  const found = json?.data as { list: number[]; members: Record<string, number> }
  t.deepEqual(
    acknowledged.filter((n) => !found.list.includes(n)),
    [],
  )
  t.is(new Set(found.list).size, found.list.length)
  t.deepEqual(Object.values(found.members), found.list)
  t.is(json?.etag, `"${found.list.length + 1}"`)
})

test('no patch that tests a counter and increases it is applied to a value that it did not test', async (t) => {
  const { port, deps } = await startGateway(t, { routes: [...itemRoutes, ...itemDataRoutes] })
  const account = await makeAccount(deps.db)
  await addList(deps.db, account.accountId)
  const { user: headers } = account
  const created = await call(port, { method: 'POST', path: items, headers, body: { data: { n: 0 } } })
  const path = `${items}/${created.json?.id}/data`
  const raise = (n: number) => [
    { op: 'test', path: '/n', value: n },
    { op: 'replace', path: '/n', value: n + 1 },
  ]
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call(port, { method: 'PATCH', path, headers, body: raise(0) })),
  )
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array(19).fill(409)])
  t.is((await call(port, { path: `${path}/n`, headers })).text, '1')
})
