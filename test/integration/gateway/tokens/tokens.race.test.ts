import test from 'ava'
import { eventRoutes } from '#services/gateway/resources/events/routes.ts'
import { tokenRoutes } from '#services/gateway/resources/tokens/routes.ts'
import { wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...tokenRoutes, ...eventRoutes] })
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = async () =>
  (await ask({ method: 'POST', path: '/tokens', body: { name: 'x', permissions: [] } })).json ?? {}
const put = (id: unknown, body: object) => ask({ method: 'PUT', path: `/tokens/${id}`, body })
const rotate = (id: unknown) => ask({ method: 'POST', path: `/tokens/${id}/rotate` })
const remove = (id: unknown) => ask({ method: 'DELETE', path: `/tokens/${id}` })
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted()
const isValid = async (value: unknown) =>
  (await ask({ path: '/tokens/self', headers: { 'x-api-token': String(value) } })).status === 200

test('of concurrent rotations exactly one value is valid, and the previous value is not', async (t) => {
  const { id, value } = await create()
  const replies = await Promise.all(Array.from({ length: 6 }, () => rotate(id)))
  t.deepEqual(statuses(replies), Array(6).fill(200))
  const values = replies.map(({ json }) => json?.value)
  t.is(new Set(values).size, 6)
  const valid = await Promise.all(values.map(isValid))
  t.is(valid.filter(Boolean).length, 1)
  t.false(await isValid(value))
  t.deepEqual(await wrongEventCounts(gateway.deps.db), [])
})

test('a rotation at the same time as a deletion leaves no valid value', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { id, value } = await create()
    const [deleted, ...rotated] = await Promise.all([remove(id), rotate(id), rotate(id)])
    t.is(deleted?.status, 204)
    for (const { status, json } of rotated) {
      t.true(status === 200 || status === 404)
      t.false(await isValid(json?.value))
    }
    t.false(await isValid(value))
  }
})

test('concurrent changes are all applied, even with a concurrent rotation', async (t) => {
  const { id } = await create()
  const changes = [{ name: 'new' }, { description: 'new' }, { tags: ['new'] }, { ips: ['::/0', '0.0.0.0/0'] }]
  const [rotated, ...changed] = await Promise.all([rotate(id), ...changes.map((body) => put(id, body))])
  t.deepEqual(statuses(changed), [200, 200, 200, 200])
  t.like((await ask({ path: `/tokens/${id}` })).json, Object.assign({}, ...changes))
  t.true(await isValid(rotated?.json?.value))
})

test('of concurrent deletions one returns 204; changes are applied before it or find no token', async (t) => {
  const { id } = await create()
  const removals = Array.from({ length: 4 }, () => remove(id))
  const changes = Array.from({ length: 4 }, (_, n) => put(id, { name: `n${n}` }))
  t.deepEqual(statuses(await Promise.all(removals)), [204, 404, 404, 404])
  const created = (await Promise.all(changes)).filter(({ status }) => status !== 404)
  t.true(created.every(({ status }) => status === 200))
  const { json } = await ask({ path: '/events?stream=eq:token&limit=100&direction=asc' })
  const types = Object(json).data.flatMap(({ modelId, type }: Record<string, unknown>) =>
    modelId === id ? [type] : [],
  )
  t.deepEqual(types, ['token-created', ...Array(created.length).fill('token-updated'), 'token-deleted'])
})
