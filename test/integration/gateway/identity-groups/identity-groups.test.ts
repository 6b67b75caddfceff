import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { until } from '../../../support/assertions/until.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import type { TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let other: TestGateway
let account: TestAccount
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
  account = await makeAccount(gateway.deps.db)
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (body: object) => ask({ method: 'POST', path: '/identity-groups', body })
const at = (name: unknown) => `/identity-groups/${encodeURIComponent(String(name))}`
const change = (name: string, body: object) => ask({ method: 'PUT', path: at(name), body })
const remove = (name: string) => ask({ method: 'DELETE', path: at(name) })
const summary = ({ status, json }: Reply) => `${status} ${json?.name}`
const add = (group: string) => makeIdentity(gateway.deps.db, { accountId: account.accountId, group })

const defaults = {
  sessionLifetimeSeconds: 604_800,
  sessionIdleSeconds: null,
  requireEmail: false,
  requireVerifiedEmail: false,
  minPasswordLength: 8,
}

test('a group is created with the given settings, and read by id and by name', async (t) => {
  const created = await create({ name: 'Created here', requireEmail: true })
  t.is(created.status, 201)
  t.deepEqual(Object.keys(created.json ?? {}), ['id', 'createdAt', 'updatedAt', 'name', ...Object.keys(defaults)])
  t.like(created.json, { ...defaults, name: 'Created here', requireEmail: true })
  for (const ref of [created.json?.id, 'Created here']) t.deepEqual((await ask({ path: at(ref) })).json, created.json)
  t.is(summary(await create({ name: 'Created here' })), '409 IDENTITY_UNABLE_TO_CREATE')
  t.is((await create({ name: 'created here' })).status, 201, 'names are compared exactly')
})

test('names with slashes, percent signs and dots are found URL-encoded', async (t) => {
  for (const name of ['a/b', '100%', 'a%2Fb', '?x=#y', 'a b', '~!@$&*()']) {
    t.is((await create({ name })).status, 201, name)
    t.is((await ask({ path: at(name) })).json?.name, name)
  }
})

test('an id takes precedence over a name that looks like one', async (t) => {
  const { json } = await create({ name: 'named' })
  t.is((await create({ name: String(json?.id) })).status, 201)
  t.is((await ask({ path: at(json?.id) })).json?.name, 'named')
})

test('all errors of a group are reported at once', async (t) => {
  const wrong = { sessionLifetimeSeconds: 315_360_001, sessionIdleSeconds: 0, requireEmail: 1, minPasswordLength: 7 }
  t.deepEqual(errorPaths(await create({ name: ' x', ...wrong })), [...Object.keys(wrong), 'name'].toSorted())
  t.deepEqual(errorPaths(await create({})), ['name'])
  await create({ name: 'wrong' })
  t.deepEqual(errorPaths(await change('wrong', { ...wrong, id: 'x' })), [...Object.keys(wrong), 'id'].toSorted())
  t.is((await change('wrong', {})).status, 400)
})

test('a group cannot be renamed', async (t) => {
  await create({ name: 'fixed' })
  t.deepEqual(errorPaths(await change('fixed', { name: 'loose' })), ['name'])
})

test('only the named settings are changed', async (t) => {
  await create({ name: 'changed', requireEmail: true })
  const { status, json } = await change('changed', { sessionIdleSeconds: 60, minPasswordLength: 12 })
  t.is(status, 200)
  t.like(json, { ...defaults, requireEmail: true, sessionIdleSeconds: 60, minPasswordLength: 12 })
  t.deepEqual((await ask({ path: at('changed') })).json, json)
  t.is((await change('changed', { sessionIdleSeconds: null })).json?.sessionIdleSeconds, null)
})

test('a group without identities can be deleted, one with any cannot', async (t) => {
  const session = await add('kept')
  const rejected = await remove('kept')
  t.is(summary(rejected), '400 VALIDATION_FAILED')
  t.deepEqual(errorPaths(rejected), ['group'])
  await ask({ method: 'DELETE', path: `/identities/${session.identityId}` })
  t.is((await remove('kept')).status, 204)
  for (const reply of [
    await ask({ path: at('kept') }),
    await remove('kept'),
    await change('kept', { requireEmail: true }),
  ])
    t.is(summary(reply), '404 REQUESTED_ENTITY_NOT_FOUND')
})

test('a group of another account gets the same response as a missing one', async (t) => {
  const stranger = await makeAccount(gateway.deps.db)
  const created = await call(gateway.port, {
    method: 'POST',
    path: '/identity-groups',
    headers: stranger.user,
    body: { name: 'foreign' },
  })
  const reported = async (ref: unknown) => (await ask({ path: at(ref) })).text.replace(/"requestId":"[^"]*"/, '')
  const never = await reported(newId())
  for (const ref of [created.json?.id, 'foreign', 'nowhere', 'ü', ' ']) t.is(await reported(ref), never)
})

test('an API token gets USER_MODE_REQUIRED, and a request without credentials USER_NOT_AUTHENTICATED', async (t) => {
  for (const request of [
    { path: '/identity-groups' },
    { method: 'POST', path: '/identity-groups', body: { name: 'x' } },
    ...['GET', 'PUT', 'DELETE'].map((method) => ({ method, path: at('x') })),
  ]) {
    t.is(summary(await ask({ ...request, headers: await account.token() })), '403 USER_MODE_REQUIRED')
    t.is(summary(await ask({ ...request, headers: {} })), '401 USER_NOT_AUTHENTICATED')
  }
})

test('each change is in the event log, in the stream of identities', async (t) => {
  const { json } = await create({ name: 'logged' })
  await change('logged', { requireEmail: true })
  await remove('logged')
  const events = await ask({ path: '/events?type=starts:identity-group&includeSnapshot=true&limit=100' })
  const own = (Object(events.json).data as Record<string, unknown>[]).filter(({ modelId }) => modelId === json?.id)
  t.deepEqual(
    own.map(({ type }) => type),
    ['identity-group-deleted', 'identity-group-updated', 'identity-group-created'],
  )
  for (const { stream, actor, snapshot } of own) {
    t.is(stream, 'identity')
    t.like(actor, { authMode: 'user' })
    t.like(snapshot, { name: 'logged' })
  }
})

test('shortened settings end live sessions at once, elsewhere with the message', async (t) => {
  const token = await account.token()
  const session = await add('shortened')
  const bystander = await add('untouched')
  const self = async ({ headers }: { headers: Record<string, string> }, { port } = gateway) =>
    (await call(port, { path: '/identities/self', headers: { ...token, ...headers } })).status
  await gateway.deps.db.run('update sessions set created_at = created_at - 7200000 where token_hash = ?', [
    tokenHash(session.token),
  ])
  for (const one of [session, bystander]) for (const where of [gateway, other]) t.is(await self(one, where), 200)
  await change('shortened', { sessionLifetimeSeconds: 3_600 })
  t.is(await self(session), 401)
  await until(async () => (await self(session, other)) === 401)
  await change('shortened', { sessionLifetimeSeconds: 604_800 })
  for (const where of [gateway, other]) t.is(await self(session, where), 401, 'what has ended stays ended')
  for (const where of [gateway, other]) t.is(await self(bystander, where), 200)
})

test('the requirements of a group apply to the next registration', async (t) => {
  const token = await account.token()
  await create({ name: 'demanding', requireEmail: true, minPasswordLength: 12 })
  const register = (body: object) =>
    ask({ method: 'POST', path: '/identities/register', headers: token, body: { group: 'demanding', ...body } })
  t.is(summary(await register({ name: 'Ada', password: 'long enough for it' })), '400 IDENTITY_EMAIL_REQUIRED')
  const short = await register({ name: 'Ada', email: 'ada@example.com', password: 'elevenchars' })
  t.deepEqual(errorPaths(short), ['password'])
  const created = await register({ name: 'Ada', email: 'ada@example.com', password: 'long enough for it' })
  t.is(created.status, 201)
})

test('pages of groups are ordered, filtered and walked by cursor', async (t) => {
  const owner = await makeAccount(gateway.deps.db)
  const mine = (query: string) => call(gateway.port, { path: `/identity-groups?${query}`, headers: owner.user })
  const names = ['beta', 'Alpha', 'gamma', 'alpha 2']
  for (const name of names) {
    await call(gateway.port, { method: 'POST', path: '/identity-groups', headers: owner.user, body: { name } })
  }
  const shown = ({ json }: Reply) => (Object(json).data as { name: string }[]).map(({ name }) => name)
  const byName = ['Alpha', 'alpha 2', 'beta', 'gamma']
  t.deepEqual(shown(await mine('')), names.toReversed())
  t.deepEqual(shown(await mine('order=name')), byName)
  t.deepEqual(shown(await mine('order=updatedAt&direction=asc')), names)
  t.deepEqual(shown(await mine('name=ALPHA&order=name')), ['Alpha', 'alpha 2'])
  t.like((await mine('name=eq:beta')).json, { page: 1, limit: 20, total: 1 })
  const walked: string[] = []
  for (let after: unknown = ''; after !== null; ) {
    const reply = await mine(`order=name&limit=3&after=${after}`)
    walked.push(...shown(reply))
    after = reply.json?.next
  }
  t.deepEqual(walked, byName)
  t.deepEqual(errorPaths(await mine('order=requireEmail')), ['order'])
})
