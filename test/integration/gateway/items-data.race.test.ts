import test from 'ava'
import { itemDataRoutes } from '#services/gateway/resources/items/data/routes.ts'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../support/databases/lists.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { besides, startGateway } from '../../support/http/gateway.ts'

const items = '/lists/recipes/items'
const everybody = 40

test('merges of one item that arrive together at two gateways lose nothing', async (t) => {
  const routes = [...itemRoutes, ...itemDataRoutes]
  const first = await startGateway(t, { routes })
  const second = await startGateway(t, { routes, env: besides(first.deps.config) })
  const account = await makeAccount(first.deps.db)
  await addList(first.deps.db, account.accountId, { indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }] })
  const { user: headers } = account
  const data = { slug: 'one', list: [], members: {} }
  const made = await call(first.port, { method: 'POST', path: items, headers, body: { data } })
  const names = [made.json?.id, 'one']
  const replies = await Promise.all(
    Array.from({ length: everybody }, (_, n) =>
      call(n % 2 ? first.port : second.port, {
        ...{ method: 'POST', path: `${items}/${names[n % 3 === 0 ? 0 : 1]}/data`, headers },
        body: { list: [n], members: { [`member-${n}`]: n } },
      }),
    ),
  )
  t.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
  t.is(new Set(replies.map(({ headers: { etag } }) => etag)).size, everybody)
  const { json } = await call(first.port, { path: `${items}/one/data`, headers })
  const numbers = Array.from({ length: everybody }, (_, n) => n)
  const found = json as unknown as { list: number[]; members: Record<string, number> }
  t.deepEqual(found.list.toSorted((a, b) => a - b), numbers) // biome-ignore format: one line
  t.deepEqual(
    Object.values(found.members).toSorted((a, b) => a - b),
    numbers,
  )
  t.is((await call(second.port, { path: `${items}/one`, headers })).headers.etag, `"${everybody + 1}"`)
})

test('of patches that test a counter and raise it none is applied to what it did not test', async (t) => {
  const { port, deps } = await startGateway(t, { routes: [...itemRoutes, ...itemDataRoutes] })
  const account = await makeAccount(deps.db)
  await addList(deps.db, account.accountId)
  const { user: headers } = account
  const made = await call(port, { method: 'POST', path: items, headers, body: { data: { n: 0 } } })
  const path = `${items}/${made.json?.id}/data`
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
