import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { addFlow } from '../../support/flows/stored-flows.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../support/http/gateway.ts'
import { afterAll } from '../../support/test-context/shared.ts'

const plans = {
  scale: { name: 'Scale' },
  small: {
    name: 'Small',
    maxLists: 2,
    maxItemsPerList: 3,
    maxIndexesPerList: 1,
    maxItemSize: 100,
    maxItemVersions: 2,
    maxTokens: 2,
    maxStorageBytes: 250,
  },
}

const rated = {
  scale: { name: 'Scale' },
  slow: { name: 'Slow', maxRequestsPerMinute: 4, maxRequestsPerMonth: 100, overdraftPercent: 10 },
}

const cleanup = afterAll()
let gateway: TestGateway

test.before(async () => {
  gateway = await startGateway(cleanup, { routes, env: { LISTD_PLANS: JSON.stringify(plans) } })
})

/** Calls of a user in a new account on the small plan. */
async function setUp() {
  const account = await makeAccount(gateway.deps.db, { plan: 'small' })
  const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
  const post = (path: string, body: object, query = '') => ask({ method: 'POST', path: path + query, body })
  return { account, ask, post }
}

const rejection = ({ status, json }: Reply) => [status, json?.name, json?.details]
const beyond = (name: string, limit: string, max: number, more = {}) => [403, name, { limit, max, ...more }]

test('an account has at most the lists of its plan, by creates and by syncs, whose dry run reports it too', async (t) => {
  const { ask, post } = await setUp()
  t.is((await post('/lists', { pathName: 'one' })).status, 201)
  const document = { lists: { two: {}, three: {} } }
  const tooMany = beyond('MAX_LISTS_EXCEEDED', 'maxLists', 2)
  t.deepEqual(rejection(await post('/sync-schema', document, '?dryRun=true')), tooMany)
  t.deepEqual(rejection(await post('/sync-schema', document)), tooMany)
  t.like(await ask({ path: '/lists' }), { json: { total: 1 } }, 'nothing was written')
  t.is((await post('/lists', { pathName: 'two' })).status, 201)
  t.deepEqual(rejection(await post('/lists', { pathName: 'three' })), tooMany)
  t.is((await ask({ method: 'DELETE', path: '/lists/two' })).status, 204)
  t.is((await post('/lists', { pathName: 'three' })).status, 201)
})

test('a list has at most the indexes of the plan, by creates, dry runs and syncs', async (t) => {
  const { post } = await setUp()
  await post('/lists', { pathName: 'one' })
  const tooMany = beyond('MAX_INDEXES_EXCEEDED', 'maxIndexesPerList', 1)
  const twice = { lists: { one: { indexes: { a: { pointer: '/a' }, b: { pointer: '/b' } } } } }
  t.deepEqual(rejection(await post('/sync-schema', twice, '?dryRun=true')), tooMany)
  t.deepEqual(rejection(await post('/sync-schema', twice)), tooMany)
  t.is((await post('/lists/one/indexes', { pathName: 'a', pointer: '/a' })).status, 201)
  t.deepEqual(rejection(await post('/lists/one/indexes', { pathName: 'b', pointer: '/b' })), tooMany)
  t.deepEqual(rejection(await post('/lists/one/indexes', { pathName: 'b', pointer: '/b' }, '?dryRun=true')), tooMany)
})

test('a list has at most the items of the plan: creates, batches, restores and their dry runs', async (t) => {
  const { ask, post } = await setUp()
  await post('/lists', { pathName: 'one' })
  const items = '/lists/one/items'
  const created = [await post(items, { data: 1 }), await post(items, { data: 2 })]
  const create = { op: 'create', data: 3 }
  const tooMany = (operation: number) => beyond('MAX_ITEMS_EXCEEDED', 'maxItemsPerList', 3, { operation })
  t.deepEqual(rejection(await post(`${items}/batch`, { operations: [create, create] })), tooMany(1))
  const dry = await post(`${items}/batch`, { operations: [create, create, create] }, '?dryRun=true')
  t.like(dry, { status: 403, json: { details: { operation: 1, limit: 'maxItemsPerList', max: 3 } } })
  t.deepEqual(
    (Object(dry.json?.details).operations as { operation: number }[]).map(({ operation }) => operation),
    [1, 2],
  )
  const id = String(created[0]?.json?.id)
  const removal = { op: 'delete', item: id }
  t.is((await post(`${items}/batch`, { operations: [create, create, removal] })).status, 200)
  t.deepEqual(rejection(await post(items, { data: 4 })), beyond('MAX_ITEMS_EXCEEDED', 'maxItemsPerList', 3))
  t.deepEqual(
    rejection(await post(items, { data: 4 }, '?dryRun=true')),
    beyond('MAX_ITEMS_EXCEEDED', 'maxItemsPerList', 3),
  )
  const events = await ask({ path: `${items}/${id}/events?type=item-created` })
  const [event] = (events.json?.data ?? []) as { id: string }[]
  const restore = await post(`${items}/${id}/events/${event?.id}/restore`, {})
  t.deepEqual(rejection(restore), beyond('MAX_ITEMS_EXCEEDED', 'maxItemsPerList', 3))
})

test('data that is larger than the plan allows is too large, and the error says so', async (t) => {
  const { ask, post } = await setUp()
  await post('/lists', { pathName: 'one' })
  const tooLarge = [413, 'PAYLOAD_TOO_LARGE', { limit: 'maxItemSize', max: 100 }]
  const created = await post('/lists/one/items', { data: 'x'.repeat(98) })
  t.is(created.status, 201)
  t.deepEqual(rejection(await post('/lists/one/items', { data: 'x'.repeat(99) })), tooLarge)
  const path = `/lists/one/items/${created.json?.id}`
  t.deepEqual(rejection(await ask({ method: 'PUT', path, body: { data: 'x'.repeat(99) } })), tooLarge)
  const patch = [{ op: 'replace', path: '', value: 'x'.repeat(99) }]
  t.deepEqual(rejection(await ask({ method: 'PATCH', path: `${path}/data`, body: patch })), tooLarge)
})

test('the plan limits how many versions of an item can be read', async (t) => {
  const { ask, post } = await setUp()
  await post('/lists', { pathName: 'one' })
  const path = `/lists/one/items/${(await post('/lists/one/items', { data: 0 })).json?.id}`
  for (const data of [1, 2]) await ask({ method: 'PUT', path, body: { data } })
  t.like(await ask({ path: `${path}?version=1.0.1` }), { status: 200, json: { data: 1 } })
  t.like(await ask({ path: `${path}?version=1.0.0` }), { status: 404, json: { name: 'ITEM_VERSION_NOT_RETAINED' } })
})

test('an account has at most the API tokens of its plan', async (t) => {
  const { account, post } = await setUp()
  await account.token()
  t.is((await post('/tokens', { name: 'two', permissions: [] })).status, 201)
  const rejected = await post('/tokens', { name: 'three', permissions: [] })
  t.deepEqual(rejection(rejected), beyond('MAX_TOKENS_EXCEEDED', 'maxTokens', 2))
})

test('the plan in the API has the limits that apply', async (t) => {
  const { account } = await setUp()
  const { json } = await call(gateway.port, { path: '/tokens/self', headers: await account.token() })
  const { name: _name, ...limits } = plans.small
  t.like(json?.plan, { id: 'small', ...limits, maxIdentities: null, maxWebhooks: null })
})

test('the bytes of all items are limited, and shown to callers that may do everything', async (t) => {
  const { account, ask, post } = await setUp()
  await post('/lists', { pathName: 'one' })
  await post('/lists', { pathName: 'two' })
  const data = 'x'.repeat(98)
  for (const list of ['one', 'two']) t.is((await post(`/lists/${list}/items`, { data })).status, 201)
  const tooMany = beyond('STORAGE_LIMIT_EXCEEDED', 'maxStorageBytes', 250)
  t.deepEqual(rejection(await post('/lists/one/items', { data })), tooMany)
  t.deepEqual(rejection(await post('/lists/one/items', { data }, '?dryRun=true')), tooMany)
  const batch = {
    operations: [
      { op: 'create', data: 1 },
      { op: 'create', data },
    ],
  }
  t.deepEqual(rejection(await post('/lists/one/items/batch', batch)), [
    403,
    'STORAGE_LIMIT_EXCEEDED',
    { limit: 'maxStorageBytes', max: 250, operation: 1 },
  ])
  const used = { storageBytes: 200, storageAllowance: 250 }
  const self = async (headers: Record<string, string>) =>
    (await call(gateway.port, { path: '/tokens/self', headers })).json?.usage
  t.like(await self(await account.token()), used)
  t.like((await ask({ path: '/auth/self' })).json?.usage, used)
  const blocked = [
    { mode: 'allow', action: '*' },
    { mode: 'block', action: 'view', resourceType: 'stats' },
  ] as const
  t.like(await self(await account.token([...blocked])), { storageBytes: null, storageAllowance: 250 })
  t.is((await ask({ method: 'DELETE', path: '/lists/two' })).status, 204)
  t.like((await ask({ path: '/auth/self' })).json?.usage, { storageBytes: 100 }, 'a deleted list counts no longer')
})

test('requests with API tokens are counted and limited, those of users are not', async (t) => {
  const limited = await startGateway(t, { routes, env: { LISTD_PLANS: JSON.stringify(rated) } })
  const account = await makeAccount(limited.deps.db, { plan: 'slow' })
  const headers = await account.token()
  const ask = (request: Call) => call(limited.port, { headers, ...request })
  const quota = ({ headers }: Reply) => [headers['x-rate-limit-total'], headers['x-rate-limit-remaining']]
  const first = await ask({ path: '/lists' })
  t.deepEqual([first.status, ...quota(first)], [200, '4', '3'])
  t.is((await ask({ path: '/nothing' })).status, 404, 'not a route')
  for (const status of [201, 409, 200]) {
    const request = status === 200 ? { path: '/lists' } : { method: 'POST', path: '/lists', body: { pathName: 'one' } }
    t.is((await ask(request)).status, status)
  }
  const rejected = await ask({ method: 'DELETE', path: '/lists/one' })
  t.deepEqual(rejection(rejected), [429, 'RATE_LIMIT_EXCEEDED', { limit: 'maxRequestsPerMinute', max: 4 }])
  t.deepEqual(quota(rejected), ['4', '0'])
  t.true(Number(rejected.headers['retry-after']) >= 1)
  const self = await ask({ path: '/auth/self', headers: account.user })
  t.deepEqual([self.status, ...quota(self)], [200, undefined, undefined])
  t.like(self.json?.usage, {
    requestCount: 4,
    blockedCount: 1,
    requestAllowance: 100,
    requestsRemaining: 96,
    overdraftAllowance: 10,
    credits: 0,
    degraded: false,
  })
  await limited.deps.rates.close()
  t.like(await limited.deps.db.get('select requests, blocked from request_months'), { requests: 4, blocked: 1 })
})

test('calls of public flows are requests of the account, and their callers do not learn what its plan allows', async (t) => {
  const plans = { scale: { name: 'Scale' }, tiny: { name: 'Tiny', maxRequestsPerMonth: 2 } }
  const limited = await startGateway(t, { routes, env: { LISTD_PLANS: JSON.stringify(plans) } })
  const account = await makeAccount(limited.deps.db, { plan: 'tiny' })
  const entry = { type: 'endpoint', path: 'open', public: true }
  const document = { version: 1, name: 'open', entry, nodes: [{ id: 'answer', type: 'respond', body: '1' }] }
  const flowId = await addFlow(limited.deps.db, account.accountId, document)
  const anyone = () => call(limited.port, { method: 'POST', path: `/flows/public/${flowId}`, body: {} })
  t.deepEqual([(await anyone()).status, (await anyone()).status], [200, 200])
  const rejected = await anyone()
  t.deepEqual(rejection(rejected), [429, 'RATE_LIMIT_EXCEEDED', undefined])
  t.true(Number(rejected.headers['retry-after']) >= 1)
  const self = await call(limited.port, { path: '/auth/self', headers: account.user })
  t.like(self.json?.usage, { requestCount: 2, blockedCount: 1, degraded: true })
  await limited.deps.requestHours.close()
  t.is(Number((await limited.deps.db.get('select sum(requests) as n from request_hours'))?.n), 4)
})
