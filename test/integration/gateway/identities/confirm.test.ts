import test from 'ava'
import type { OneTimeKind } from '#shared/data/identities/one-time-tokens.ts'
import { until } from '../../../support/assertions/until.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { call } from '../../../support/http/client.ts'
import type { TestGateway } from '../../../support/http/gateway.ts'
import { confirm, newPassword, nobody, request, tokenOf } from '../../../support/identity/one-time-tokens.ts'
import { firstPassword, ownAccount, summary } from '../../../support/identity/own-account.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let other: TestGateway
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
})

const invalid = '400 IDENTITY_TOKEN_INVALID'
const self = ({ headers }: { headers: Record<string, string> }, { port } = gateway) =>
  call(port, { path: '/identities/self', headers })

test('a confirmed reset sets the password, ends every session at once and invalidates the other tokens', async (t) => {
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada', group: 'staff', email: 'ada@example.com' })
  const bystander = await account.register({ name: 'Bystander' })
  const who = { name: 'Ada', group: 'staff' }
  const verification = tokenOf('verify', await request(account, 'verify', who))
  const token = tokenOf('reset', await request(account, 'reset', who))
  t.is((await self(ada)).status, 200)
  t.is((await self(ada, other)).status, 200)
  const reset = await confirm(account, 'reset', token)
  t.is(reset.status, 200)
  t.like(reset.json, { id: ada.id, name: 'Ada', hasPassword: true, sessionCount: 0, emailVerified: false })
  t.is(summary(await self(ada)), '401 IDENTITY_NOT_AUTHENTICATED')
  await until(async () => (await self(ada, other)).status === 401)
  t.is((await self(bystander)).status, 200)
  t.is(summary(await confirm(account, 'verify', verification)), invalid)
  t.is(summary(await account.login(who)), '401 IDENTITY_NOT_AUTHENTICATED')
  t.is((await account.login({ ...who, password: newPassword })).status, 200)
  const [entry] = await account.events()
  t.like(entry, { type: 'identity-updated', modelId: ada.id })
  t.deepEqual(entry?.attachments, { changed: ['password'], reason: 'password-reset' })
})

test('a weak new password does not use the token up', async (t) => {
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada', group: 'strict' })
  const settings = 'update identity_groups set min_password_length = 20 where account_id = ?'
  await gateway.deps.db.run(settings, [account.accountId])
  const token = tokenOf('reset', await request(account, 'reset', { identityId: ada.id }))
  for (const password of ['short', 'x'.repeat(19), 'x'.repeat(257)]) {
    t.deepEqual(errorPaths(await confirm(account, 'reset', token, { password })), ['password'])
  }
  t.is((await self(ada)).status, 200)
  t.is((await confirm(account, 'reset', token, { password: 'x'.repeat(20) })).status, 200)
})

test('a wait after failed logins ends no session, locks no token and prevents no reset', async (t) => {
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada' })
  for (let n = 0; n < 5; n++) await account.login({ name: 'Ada', password: 'wrong' })
  await gateway.deps.db.run('update login_attempts set blocked_until = blocked_until + 600000 where failures >= 5')
  t.is(summary(await account.login({ name: 'Ada' })), '429 IDENTITY_TOO_MANY_ATTEMPTS')
  t.is((await self(ada)).status, 200)
  await account.register({ name: 'Grace' })
  const token = tokenOf('reset', await request(account, 'reset', { name: 'Ada' }))
  t.is((await confirm(account, 'reset', token)).status, 200)
  t.is((await account.login({ name: 'Ada', password: newPassword })).status, 200)
})

test('an identity without a password gets one with a reset', async (t) => {
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada' })
  await gateway.deps.db.run('update identities set password_hash = null where id = ?', [ada.id])
  const requested = await request(account, 'reset', { name: 'Ada' })
  t.like(requested.json?.identity, { hasPassword: false })
  t.is((await confirm(account, 'reset', tokenOf('reset', requested))).json?.hasPassword, true)
  t.is((await account.login({ name: 'Ada', password: newPassword })).status, 200)
})

test('a confirmed verification is shown, lets the identity log in, and ends no session', async (t) => {
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada', group: 'strict', email: 'ada@example.com' })
  const settings = 'update identity_groups set require_verified_email = 1 where account_id = ?'
  await gateway.deps.db.run(settings, [account.accountId])
  const who = { name: 'Ada', group: 'strict' }
  t.is(summary(await account.login(who)), '403 IDENTITY_EMAIL_NOT_VERIFIED')
  const token = tokenOf('verify', await request(account, 'verify', who))
  const verified = await confirm(account, 'verify', token)
  t.is(verified.status, 200)
  t.like(verified.json, { id: ada.id, email: 'ada@example.com', emailVerified: true })
  t.like((await self(ada)).json, { emailVerified: true })
  t.is((await account.login(who)).status, 200)
  const [entry] = await account.events()
  t.deepEqual(entry?.attachments, { changed: ['emailVerified'], reason: 'email-verification' })
})

test('without an email there is nothing to verify', async (t) => {
  const account = await ownAccount(gateway)
  await account.register({ name: 'Ada' })
  t.deepEqual((await request(account, 'verify', { name: 'Ada' })).json, nobody('verify'))
})

test('a change of the email or password by the identity invalidates its tokens, and another email is not verified', async (t) => {
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada', email: 'ada@example.com' })
  const who = { identityId: ada.id }
  const tokens = async (): Promise<Record<OneTimeKind, string>> => ({
    reset: tokenOf('reset', await request(account, 'reset', who)),
    verify: tokenOf('verify', await request(account, 'verify', who)),
  })
  const put = (body: object) =>
    call(gateway.port, { method: 'PUT', path: '/identities/self', headers: ada.headers, body })
  t.is((await confirm(account, 'verify', (await tokens()).verify)).json?.emailVerified, true)
  const kept = await tokens()
  t.is((await put({ name: 'Ada L.' })).json?.emailVerified, true)
  t.is((await confirm(account, 'verify', kept.verify)).status, 200)
  for (const change of [{ email: 'new@example.com' }, { password: firstPassword }]) {
    const { reset, verify } = await tokens()
    t.is((await put({ ...change, currentPassword: firstPassword })).json?.emailVerified, false)
    t.is(summary(await confirm(account, 'reset', reset)), invalid)
    t.is(summary(await confirm(account, 'verify', verify)), invalid)
  }
})
