import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import { findIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { until } from '../../../support/assertions/until.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity, makeSession, type TestSession } from '../../../support/identity/identities.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let other: TestGateway
let account: TestAccount
let token: Record<string, string>
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
})

type Headers = Record<string, string>
const self = (headers: Headers, { port } = gateway) =>
  call(port, { path: '/identities/self', headers: { ...token, ...headers } })
const logout = (headers: Headers, body?: object) =>
  call(gateway.port, { method: 'POST', path: '/identities/logout', headers: { ...token, ...headers }, body })
const create = (given: { group?: string } = {}) =>
  makeIdentity(gateway.deps.db, { accountId: account.accountId, ...given })
const again = ({ identityId, displayName }: TestSession, group: string | null = null) =>
  makeSession(gateway.deps.db, { id: identityId, accountId: account.accountId, group, displayName })
const summary = ({ status, json }: Reply) => `${status} ${json?.name}`
const rejected = '401 IDENTITY_NOT_AUTHENTICATED'

test('an identity sees itself', async (t) => {
  const session = await create({ group: 'staff' })
  await again(session)
  const { status, json } = await self(session.headers)
  t.is(status, 200)
  t.like(json, { id: session.identityId, displayName: session.displayName, group: 'staff', sessionCount: 2 })
  t.deepEqual(Object.keys(json ?? {}), [
    'id',
    'createdAt',
    'updatedAt',
    'name',
    'displayName',
    'group',
    'tags',
    'lastLoginAt',
    'activated',
    'email',
    'emailVerified',
    'hasPassword',
    'sessionCount',
  ])
})

test('a caller that is not an identity cannot read itself', async (t) => {
  t.is(summary(await self({})), rejected)
  t.is(summary(await call(gateway.port, { path: '/identities/self', headers: account.user })), rejected)
  const nobody = await call(gateway.port, { path: '/identities/self' })
  t.is(summary(nobody), '401 USER_NOT_AUTHENTICATED')
})

test('the session of an identity with a group also needs that group', async (t) => {
  const { headers } = await create({ group: 'staff' })
  const identityToken = headers['x-identity-token'] ?? ''
  t.is((await self(headers)).status, 200)
  for (const group of [
    {},
    { 'x-identity-group': 'guests' },
    { 'x-identity-group': 'Staff' },
    { 'x-identity-group': '' },
  ]) {
    t.is(summary(await self({ 'x-identity-token': identityToken, ...group })), rejected, JSON.stringify(group))
  }
  t.is((await self((await create()).headers)).status, 200)
})

test('two groups with a session are rejected, even if together they are the name of its group', async (t) => {
  const { headers } = await create({ group: 'a, b' })
  const { 'x-identity-group': _group, ...others } = headers
  const ask = (path: string, method: string, ...groups: string[]) =>
    call(gateway.port, {
      method,
      path,
      headers: [
        ...Object.entries({ ...token, ...others }).flat(),
        ...groups.flatMap((name) => ['X-Identity-Group', name]),
      ],
    })
  t.is((await ask('/identities/self', 'GET', 'a, b')).status, 200)
  t.is(summary(await ask('/identities/self', 'GET', 'a', 'b')), rejected)
  t.is(summary(await ask('/identities/logout', 'POST', 'a', 'b')), rejected)
  t.is((await ask('/identities/logout', 'POST', 'a, b')).status, 204)
})

test('anything that is not a live identity token is rejected on every route that reads it', async (t) => {
  const { headers } = await create()
  const wrong = [
    generateToken('identity'),
    'nonsense',
    '',
    String(token['x-api-token']),
    `${headers['x-identity-token']}, ${headers['x-identity-token']}`,
  ]
  for (const text of wrong) {
    const stale = { ...token, 'x-identity-token': text }
    t.is(summary(await self(stale)), rejected)
    t.is(summary(await call(gateway.port, { path: '/lists/recipes/items/x', headers: stale })), rejected)
  }
  const alone = await call(gateway.port, { path: '/identities/self', headers })
  t.is(summary(alone), '401 USER_NOT_AUTHENTICATED')
  const withUser = await call(gateway.port, { path: '/identities/self', headers: { ...headers, ...account.user } })
  t.is(summary(withUser), '401 USER_NOT_AUTHENTICATED')
})

const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  ...rest,
})

test('a session works with any token of the account that may authenticate its identity, and with no other', async (t) => {
  const { headers, identityId } = await create({ group: 'staff' })
  const by = async (rules: PermissionRule[]) => summary(await self({ ...headers, ...(await account.token(rules)) }))
  t.regex(await by([allow('authenticate')]), /^200/)
  t.regex(await by([allow('authenticate', { groups: ['staff'] })]), /^200/)
  t.regex(await by([allow('authenticate', { identityIds: [identityId] })]), /^200/)
  t.is(await by([allow('view')]), '403 TOKEN_NOT_AUTHORIZED')
  t.is(await by([]), '403 TOKEN_NOT_AUTHORIZED')
  t.is(await by([allow('authenticate', { groups: ['guests'] })]), rejected)
  const stranger = await makeAccount(gateway.deps.db)
  t.is(summary(await self({ ...headers, ...(await stranger.token()) })), rejected)
})

test('a logout ends the session at once, elsewhere with the message, and can be repeated', async (t) => {
  const { headers } = await create({ group: 'staff' })
  t.is((await self(headers, other)).status, 200)
  t.is((await self(headers)).status, 200)
  const { status, text } = await logout(headers)
  t.is(`${status}${text}`, '204')
  t.is(summary(await self(headers)), rejected)
  await until(async () => (await self(headers, other)).status === 401)
  t.is((await logout(headers)).status, 204)
  t.is((await logout(headers, { all: true })).status, 204)
})

test('a logout ends one session, or with all every session of the identity, and no others', async (t) => {
  const [first, bystander] = [await create(), await create()]
  const [second, third] = [await again(first), await again(first)]
  const live = async (sessions: TestSession[], at = gateway) =>
    Promise.all(sessions.map(async ({ headers }) => (await self(headers, at)).status === 200))
  t.deepEqual(await live([first, second, third, bystander], other), [true, true, true, true])
  await logout(first.headers, {})
  t.deepEqual(await live([first, second, third]), [false, true, true])
  t.is((await self(second.headers)).json?.sessionCount, 2)
  await logout(second.headers, { all: true })
  t.deepEqual(await live([first, second, third, bystander]), [false, false, false, true])
  await until(async () => !(await live([second, third], other)).includes(true))
  t.deepEqual(await live([bystander], other), [true])
})

test('a logout is 204 whatever the identity token is, and ends only the session of the token', async (t) => {
  const session = await create({ group: 'staff' })
  for (const text of ['nonsense', '', generateToken('identity'), generateToken('session')]) {
    t.is((await logout({ 'x-identity-token': text }, { all: true })).status, 204, text)
  }
  const stranger = await (await makeAccount(gateway.deps.db)).token()
  const ofGuests = await account.token([allow('authenticate', { groups: ['guests'] })])
  for (const api of [stranger, ofGuests]) {
    t.is((await logout({ ...session.headers, ...api }, { all: true })).status, 204)
  }
  t.is((await self(session.headers)).status, 200)
})

test('a logout ends a session even if the group is missing or wrong', async (t) => {
  const { headers } = await create({ group: 'staff' })
  t.is((await logout({ ...headers, 'x-identity-group': 'guests' })).status, 204)
  t.is(summary(await self(headers)), rejected)
})

test('a caller that may not log out, or sends no session, ends none', async (t) => {
  const session = await create({ group: 'staff' })
  t.is(summary(await logout({})), rejected)
  const twice = `${session.token}, ${generateToken('identity')}`
  t.is(summary(await logout({ 'x-identity-token': twice })), rejected)
  t.is(summary(await logout({ ...session.headers, ...(await account.token([])) })), '403 TOKEN_NOT_AUTHORIZED')
  const asUser = { ...session.headers, ...account.user }
  t.is(summary(await call(gateway.port, { method: 'POST', path: '/identities/logout', headers: asUser })), rejected)
  t.is((await logout(session.headers, { all: 'yes' })).status, 400)
  t.is((await logout(session.headers, { sessionId: 'x' })).status, 400)
  t.is((await self(session.headers)).status, 200)
})

test('shortened settings of the group end its sessions', async (t) => {
  const { headers } = await create({ group: 'shortened' })
  await gateway.deps.db.run('update sessions set created_at = created_at - 7200000 where token_hash = ?', [
    tokenHash(String(headers['x-identity-token'])),
  ])
  t.is((await self(headers, other)).status, 200)
  await gateway.deps.db.run("update identity_groups set session_lifetime_seconds = 3600 where name = 'shortened'")
  t.is(summary(await self(headers)), rejected)
})

test('an unused session ends after the idle time of its group, one in use does not', async (t) => {
  const { db } = gateway.deps
  const [used, idle] = [await create({ group: 'idle' }), await create({ group: 'idle' })]
  await db.run("update identity_groups set session_idle_seconds = 3600 where name = 'idle'")
  const lastUsed = (session: TestSession) =>
    findIdentitySession(db, tokenHash(session.token)).then((found) => found?.lastUsedAt ?? 0)
  const setBack = ({ token: text }: TestSession, seconds: number) =>
    db.run('update sessions set last_used_at = ? where token_hash = ?', [Date.now() - seconds * 1_000, tokenHash(text)])
  await setBack(used, 3_500)
  await setBack(idle, 3_700)
  t.is((await self(used.headers)).status, 200)
  t.is(summary(await self(idle.headers)), rejected)
  await until(async () => (await lastUsed(used)) > Date.now() - 60_000, { what: 'the last use to be stored' })
})

test('a deactivated or deleted identity has no sessions', async (t) => {
  const { db } = gateway.deps
  const [off, gone] = [await create(), await create()]
  await db.run('update identities set activated = 0 where id = ?', [off.identityId])
  await db.run('delete from identities where id = ?', [gone.identityId])
  t.is(summary(await self(off.headers)), rejected)
  t.is(summary(await self(gone.headers)), rejected)
})

test('the cache of an identity is dropped when the message of its change arrives', async (t) => {
  const session = await create()
  t.is((await self(session.headers)).status, 200)
  await gateway.deps.db.run('update identities set activated = 0 where id = ?', [session.identityId])
  other.deps.bus.broadcast('revoked-identity', { identityId: session.identityId })
  await until(async () => (await self(session.headers)).status === 401)
  t.pass()
})

test('no identity token is ever logged, and the log names the identity of the request', async (t) => {
  const session = await create()
  await self(session.headers)
  const log = JSON.stringify(gateway.logged())
  t.true(log.includes(`"identityId":"${session.identityId}"`))
  for (const secret of [session.token, tokenHash(session.token)]) t.false(log.includes(secret))
})

test('without NATS sessions work and are ended', async (t) => {
  const alone = await startGateway(t, { routes })
  const { accountId, token: create } = await makeAccount(alone.deps.db)
  const { headers } = await makeIdentity(alone.deps.db, { accountId })
  const credentials = { ...headers, ...(await create()) }
  t.is((await self(credentials, alone)).status, 200)
  const ended = await call(alone.port, { method: 'POST', path: '/identities/logout', headers: credentials })
  t.is(ended.status, 204)
  t.is(summary(await self(credentials, alone)), rejected)
})
