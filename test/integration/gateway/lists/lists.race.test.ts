import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { listRoutes } from '#services/gateway/resources/lists/routes.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...listRoutes, ...itemRoutes] })
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (body: unknown) => ask({ method: 'POST', path: '/lists', body })
let names = 0
const created = async () => String((await create({ pathName: `list-${++names}` })).json?.id)

test('of concurrent creates of one path name exactly one wins', async (t) => {
  const body = (n: number) => ({ pathName: n % 2 ? 'RACE' : 'race' })
  const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => create(body(n))))
  t.deepEqual(replies.map(({ status }) => status).sort(), [201, ...Array(11).fill(409)])
})

test('concurrent changes are all applied, one after the other', async (t) => {
  const id = await created()
  const flags = ['pinned', 'realtime', 'protected', 'generative'] as const
  const replies = await Promise.all(
    flags.map((flag) => ask({ method: 'PUT', path: `/lists/${id}`, body: { [flag]: true } })),
  )
  t.deepEqual(replies.map(({ status }) => status), [200, 200, 200, 200]) // biome-ignore format: one line
  t.like((await ask({ path: `/lists/${id}` })).json, Object.fromEntries(flags.map((flag) => [flag, true])))
})

test('of concurrent deletions one returns 204 and the others 404', async (t) => {
  const id = await created()
  const replies = await Promise.all(Array.from({ length: 8 }, () => ask({ method: 'DELETE', path: `/lists/${id}` })))
  t.deepEqual(replies.map(({ status }) => status).sort(), [204, ...Array(7).fill(404)])
})

test('items written while their list is deleted either existed before or are rejected', async (t) => {
  const id = await created()
  const write = () => ask({ method: 'POST', path: `/lists/${id}/items`, body: {} })
  const writes = Array.from({ length: 20 }, write)
  const [deleted, ...written] = await Promise.all([ask({ method: 'DELETE', path: `/lists/${id}` }), ...writes])
  t.is(deleted?.status, 204)
  t.true(written.every(({ status }) => status === 201 || status === 404))
  const left = await gateway.deps.db.get<{ n: number }>('select count(*) as n from items where list_id = ?', [id])
  t.is(left?.n, written.filter(({ status }) => status === 201).length)
})
