import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { statsRoutes } from '#services/gateway/resources/stats/routes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let otherId: string
const items = '/lists/recipes/items'

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...statsRoutes, ...itemRoutes] })
  account = await makeAccount(gateway.deps.db)
  otherId = await addList(gateway.deps.db, account.accountId, { pathName: 'drinks' })
  await addList(gateway.deps.db, account.accountId, {
    indexes: [{ pathName: 'slug', pointer: '/slug', alias: true }],
  })
})

const get = (path: string, headers: Record<string, string> = account.user) => call(gateway.port, { path, headers })
const create = async (body: unknown, headers: Record<string, string> = account.user, path = items) =>
  String((await call(gateway.port, { method: 'POST', path, headers, body })).json?.id)

type Stats = { total: number; totalThisPeriod: number; metrics: { date: string; count: number; types?: object }[] }
const statsOf = (json: unknown, of: string) => (json as Record<string, Stats>)[of]

test('a list, its items and indexes, and identities have stats, for as many days as are requested', async (t) => {
  const id = await create({ data: { slug: 'soup' }, activated: false })
  await call(gateway.port, { method: 'PUT', path: `${items}/${id}`, headers: account.user, body: { tags: ['a'] } })
  const deleted = await create({})
  await call(gateway.port, { method: 'DELETE', path: `${items}/${deleted}`, headers: account.user })
  const list = await get('/lists/recipes/stats')
  t.is(list.status, 200, list.text)
  const [created, events] = [statsOf(list.json, 'items'), statsOf(list.json, 'events')]
  t.deepEqual([created?.total, created?.totalThisPeriod, created?.metrics.length], [1, 2, 7])
  const today = new Date(gateway.deps.now()).toISOString().slice(0, 10)
  const types = { 'item-created': 2, 'item-deleted': 1, 'item-updated': 1 }
  t.deepEqual(events?.metrics.at(-1), { date: today, count: 4, types })
  t.is(statsOf(list.json, 'indexes')?.total, 1)
  t.like(statsOf((await get(`${items}/soup/stats?days=90`)).json, 'events'), { total: 2, totalThisPeriod: 2 })
  t.is(statsOf((await get(`${items}/${deleted}/stats?days=1`)).json, 'events')?.metrics.length, 1)
  t.is((await get('/lists/recipes/indexes/slug/stats')).status, 200)
  const ada = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
  t.is((await get(`/identities/${ada.identityId}/stats`)).status, 200)
})

test('view-with-identity is not enough, and resources that a token does not see have no stats', async (t) => {
  const { identityId, headers } = await makeIdentity(gateway.deps.db, { accountId: account.accountId })
  const sign = { mode: 'allow', action: 'authenticate', resourceType: 'identity' } as const
  const own = { mode: 'allow', action: 'view-with-identity' } as const
  const seeing = { mode: 'allow', action: 'view', resourceType: 'stats' } as const
  const lists = { mode: 'allow', action: 'view', resourceType: 'list' } as const
  const drinks = '/lists/drinks/items'
  const id = await create({}, { ...(await account.token()), ...headers }, drinks)
  const other = await create({}, account.user, drinks)
  const cases: [rules: PermissionRule[], path: string, status: number][] = [
    [[sign, own], `${drinks}/${id}/stats`, 403],
    [[sign, own, seeing], `${drinks}/${id}/stats`, 200],
    [[sign, own, seeing], `${drinks}/${other}/stats`, 404],
    [[sign, own], `/identities/${identityId}/stats`, 403],
    [[sign, seeing], '/lists/drinks/stats', 403],
    [[sign, lists], '/lists/drinks/stats', 403],
    [[sign, lists, { ...seeing, listIds: [otherId] }], '/lists/drinks/stats', 200],
    [[sign, lists, { ...seeing, listIds: [otherId] }], '/lists/recipes/stats', 404],
  ]
  for (const [rules, path, status] of cases) {
    const reply = await get(path, { ...(await account.token(rules)), ...headers })
    t.is(reply.status, status, `${path} ${JSON.stringify(rules)} ${reply.text}`)
  }
})

test('days are whole numbers from 1 to 90', async (t) => {
  for (const days of ['0', '91', '-1', '1.5', 'x', '1e9', '7&days=8']) {
    const reply = await get(`/lists/recipes/stats?days=${days}`)
    t.deepEqual([reply.status, errorPaths(reply)], [400, ['days']], days)
  }
  t.deepEqual(errorPaths(await get('/lists/recipes/stats?day=7')), ['day'])
})

test('an account has stats of its last hours, which only users see', async (t) => {
  const own = await makeAccount(gateway.deps.db)
  const listId = await addList(gateway.deps.db, own.accountId, {})
  const created = await call(gateway.port, { method: 'POST', path: items, headers: own.user, body: {} })
  t.is(created.status, 201, created.text)
  const { json, status, text } = await get('/stats', own.user)
  t.is(status, 200, text)
  const { hours, causes, runCauses, lists } = json as Record<'hours' | 'causes' | 'runCauses', unknown[]> & {
    lists: object[]
  }
  t.is(hours.length, 24)
  const none = { succeeded: 0, failed: 0 }
  t.like(hours.at(-1), { changes: 1, deliveries: none, runs: none })
  t.like(hours[0], { changes: 0 })
  t.deepEqual([causes, runCauses], [[], []])
  t.like(lists[0], { id: listId })
  t.is((await get('/stats', await own.token())).status, 403)
  // Closing stores the counts; calls of routes for users only are not counted.
  await gateway.deps.requestHours.close()
  const stored = Object((await get('/stats', own.user)).json).hours as { requests: number }[]
  t.is(
    stored.reduce((sum, { requests }) => sum + requests, 0),
    2,
  )
})
