import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { parseToken } from '#shared/crypto/token.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const permissions = [{ mode: 'allow', action: 'view', resourceType: 'list' }]
const create = (body: object = {}) =>
  ask({ method: 'POST', path: '/tokens', body: { name: 'ci', permissions, ...body } })
const put = (id: unknown, body: object) => ask({ method: 'PUT', path: `/tokens/${id}`, body })
const withValue = ({ json }: Reply) => ({ 'x-api-token': String(json?.value) })

const shownFields = [
  'id',
  'createdAt',
  'updatedAt',
  'name',
  'description',
  'tags',
  'permissions',
  'ips',
  'expiresAt',
  'rateLimit',
  'activated',
  'locked',
  'lastUsedAt',
]

test('a token is created with its value, which no other response shows', async (t) => {
  const given = {
    name: 'deploys',
    description: 'from CI',
    tags: ['Build', 'build'],
    ips: ['192.0.2.0/24', '2001:db8::/32'],
    expiresAt: '2100-01-02T03:04:05.000Z',
  }
  const created = await create(given)
  t.is(created.status, 201)
  t.deepEqual(Object.keys(created.json ?? {}), [...shownFields, 'lists', 'value'])
  t.like(created.json, { ...given, permissions, tags: ['build'], activated: true, locked: false, lastUsedAt: null })
  const { value, ...token } = created.json ?? {}
  t.deepEqual(parseToken(String(value)), { kind: 'api' })

  const found = await ask({ path: `/tokens/${token.id}` })
  t.deepEqual([found.status, found.json], [200, token])
  const page = await ask({ path: '/tokens?name=deploys' })
  t.deepEqual(page.json, { page: 1, limit: 20, total: 1, data: [token] })
  const changed = await put(token.id, { description: 'other' })
  t.deepEqual(Object.keys(changed.json ?? {}), [...shownFields, 'lists'])
  t.false(JSON.stringify(gateway.logged()).includes(String(value)))
})

test('rules accept path names of lists; ids are stored, and shown with the current path names of the lists', async (t) => {
  const list = (body: object) => ask({ method: 'POST', path: '/lists', body }).then(({ json }) => String(json?.id))
  const [cards, decks] = [await list({ pathName: 'cards' }), await list({ pathName: 'decks' })]
  const allow = (...listIds: string[]) => [{ mode: 'allow', action: 'view', listIds }]
  const created = await create({ permissions: allow('Cards', cards, decks, '*') })
  t.like(created, {
    status: 201,
    json: { permissions: allow(cards, decks, '*'), lists: { [cards]: 'cards', [decks]: 'decks' } },
  })
  const id = created.json?.id
  t.like((await put(id, { permissions: allow('decks') })).json, {
    permissions: allow(decks),
    lists: { [decks]: 'decks' },
  })
  t.is((await ask({ method: 'PUT', path: '/lists/decks', body: { pathName: 'piles' } })).status, 200)
  const renamed = { permissions: allow(decks), lists: { [decks]: 'piles' } }
  t.like((await ask({ path: `/tokens/${id}` })).json, renamed)
  const { json } = await ask({ path: '/tokens?order=createdAt&direction=desc&limit=100' })
  t.like(
    (Object(json).data as { id: string }[]).find((token) => token.id === id),
    renamed,
  )
  t.like((await ask({ method: 'POST', path: `/tokens/${id}/rotate` })).json, renamed)
})

test('a path name that no list of the account has is rejected at its position, and nothing is stored', async (t) => {
  const view = { mode: 'allow', action: 'view' }
  const wrong = [view, { ...view, listIds: ['nothing', '*'] }, { ...view, listIds: ['*', 'there'] }]
  const created = await create({ name: 'absent', permissions: wrong })
  t.is(created.status, 400)
  t.deepEqual(errorPaths(created), ['permissions.1.listIds.0', 'permissions.2.listIds.1'])
  const { id } = (await create()).json ?? {}
  t.is((await put(id, { permissions: wrong })).status, 400)
  t.deepEqual((await ask({ path: `/tokens/${id}` })).json?.permissions, permissions)
  t.like((await ask({ path: '/tokens?name=absent' })).json, { total: 0 })
})

test('a token without optional fields has the initial values', async (t) => {
  t.like((await create()).json, { description: '', tags: [], ips: null, expiresAt: null, activated: true })
})

test('a token may do what its rules allow, at once', async (t) => {
  const headers = withValue(await create())
  t.is((await ask({ path: '/lists', headers })).status, 200)
  t.is((await ask({ method: 'POST', path: '/lists', headers, body: { name: 'x' } })).status, 403)
  t.is((await ask({ path: '/lists', headers: withValue(await create({ activated: false })) })).status, 401)
})

const faults: [claim: string, body: unknown, paths: string[]][] = [
  ['nothing', {}, ['name', 'permissions']],
  ['an empty name', { name: '', permissions: [] }, ['name']],
  ['a long name', { name: 'x'.repeat(201), permissions: [] }, ['name']],
  ['U+0000', { name: 'a\u0000', description: '\u0000', permissions: [] }, ['description', 'name']],
  ['invalid rules', { name: 'x', permissions: [{ mode: 'maybe' }] }, ['permissions.0.action', 'permissions.0.mode']],
  ['invalid networks', { name: 'x', permissions: [], ips: ['10.0.0.0/33', 'home'] }, ['ips.0', 'ips.1']],
  ['an invalid time', { name: 'x', permissions: [], expiresAt: 'soon' }, ['expiresAt']],
  ['an invalid tag', { name: 'x', permissions: [], tags: ['a b'] }, ['tags.0']],
  ['a field that only operators set', { name: 'x', permissions: [], locked: true }, ['locked']],
  [
    'fields that no caller can set',
    { name: 'x', permissions: [], value: 'v', accountId: 'a', id: 'i', lastUsedAt: null, createdAt: null },
    ['accountId', 'createdAt', 'id', 'lastUsedAt', 'value'],
  ],
]

for (const [claim, body, paths] of faults) {
  test(`a create with ${claim} is rejected with every error`, async (t) => {
    const rejected = await ask({ method: 'POST', path: '/tokens', body })
    t.is(rejected.status, 400)
    t.deepEqual(errorPaths(rejected), paths)
  })
}

test('a PUT changes only what it names; an empty one, and one of fields that only operators set, is 400', async (t) => {
  const { value: _, ...before } = (await create({ description: 'kept', tags: ['kept'] })).json ?? {}
  const changed = await put(before.id, { name: 'new', ips: ['::1/128'], expiresAt: '2100-01-01T00:00:00Z' })
  t.is(changed.status, 200)
  const { updatedAt: _at, ...unchanged } = before
  t.like(changed.json, { ...unchanged, name: 'new', ips: ['::1/128'], expiresAt: '2100-01-01T00:00:00.000Z' })
  t.like((await put(before.id, { ips: null, expiresAt: null })).json, { ips: null, expiresAt: null, name: 'new' })
  t.deepEqual(errorPaths(await put(before.id, { locked: false, id: 'x' })), ['id', 'locked'])
  t.is((await put(before.id, {})).status, 400)
  t.is((await ask({ method: 'PUT', path: `/tokens/${before.id}` })).status, 400)
})

test('a deleted token no longer exists, and deleting it again is 404', async (t) => {
  const { id } = (await create()).json ?? {}
  t.is((await ask({ method: 'DELETE', path: `/tokens/${id}` })).status, 204)
  for (const method of ['GET', 'DELETE'] as const) t.is((await ask({ method, path: `/tokens/${id}` })).status, 404)
  t.is((await ask({ method: 'POST', path: `/tokens/${id}/rotate` })).status, 404)
})

test('a rotation returns the same token with another value', async (t) => {
  const { value, updatedAt: _, ...before } = (await create()).json ?? {}
  const rotated = await ask({ method: 'POST', path: `/tokens/${before.id}/rotate` })
  t.is(rotated.status, 200)
  t.like(rotated.json, before)
  t.deepEqual(parseToken(String(rotated.json?.value)), { kind: 'api' })
  t.not(rotated.json?.value, value)
})

test('every change is in the event log, by whom, and never with a value', async (t) => {
  const { id, value } = (await create()).json ?? {}
  await put(id, { name: 'new' })
  const rotated = await ask({ method: 'POST', path: `/tokens/${id}/rotate` })
  await ask({ method: 'DELETE', path: `/tokens/${id}` })
  const log = await ask({ path: '/events?stream=eq:token&limit=100&includeSnapshot=true&direction=asc' })
  const entries = (Object(log.json).data as Record<string, unknown>[]).filter(({ modelId }) => modelId === id)
  const types = ['token-created', 'token-updated', 'token-rotated', 'token-deleted']
  t.deepEqual(entries.map(({ type }) => type), types) // biome-ignore format: one line
  for (const { actor, snapshot } of entries) {
    t.like(actor, { authMode: 'user', tokenId: null, identityId: null })
    t.deepEqual(Object.keys(Object(snapshot)), shownFields)
  }
  t.like(entries[1]?.snapshot, { id, name: 'new' })
  for (const secret of [value, rotated.json?.value]) t.false(log.text.includes(String(secret)))
})

test('a token sees itself, its plan and its usage', async (t) => {
  const created = await create({ name: 'me' })
  const { value: _, lastUsedAt: _used, lists: _lists, ...token } = created.json ?? {}
  const reply = await ask({ path: '/tokens/self', headers: withValue(created) })
  t.is(reply.status, 200)
  t.deepEqual(Object.keys(reply.json ?? {}), ['token', 'plan', 'usage'])
  t.like(reply.json?.token, token)
  t.deepEqual(Object.keys(Object(reply.json?.token)), shownFields)
  t.deepEqual(reply.json?.plan, {
    id: 'scale',
    name: 'Scale',
    rateLimit: null,
    maxRequestsPerMinute: null,
    maxRequestsPerMonth: null,
    overdraftPercent: null,
    maxStorageBytes: null,
    maxLists: null,
    maxItemsPerList: null,
    maxIndexesPerList: null,
    maxItemSize: 1_048_576,
    maxItemVersions: 100,
    maxTokens: null,
    maxIdentities: null,
    maxWebhooks: 50,
    maxFlows: null,
    maxRealtimeConnections: null,
    generativeAPI: null,
  })
  const usage = [
    'periodStart',
    'periodEnd',
    'requestCount',
    'blockedCount',
    'requestAllowance',
    'requestsRemaining',
    'overdraftAllowance',
    'credits',
    'storageBytes',
    'storageAllowance',
    'degraded',
  ]
  t.deepEqual(reply.json?.usage, Object.fromEntries(usage.map((name) => [name, null])))
})

test('a token that may do nothing sees itself, and a user has no token to see', async (t) => {
  const headers = withValue(await create({ permissions: [] }))
  t.is((await ask({ path: '/tokens/self', headers })).status, 200)
  t.is((await ask({ path: '/tokens/self' })).status, 404)
  t.is((await call(gateway.port, { path: '/tokens/self' })).status, 401)
})

test('a plan that is no longer configured is shown by its id', async (t) => {
  const gone = await makeAccount(gateway.deps.db, { plan: 'gone' })
  const reply = await ask({ path: '/tokens/self', headers: await gone.token() })
  t.like(reply.json?.plan, { id: 'gone', name: 'gone', maxWebhooks: null })
})
