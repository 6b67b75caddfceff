import test from 'ava'
import { generateToken, parseToken, type TokenKind, tokenHash } from '#shared/crypto/token.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call, type Reply } from '../../../support/http/client.ts'
import type { TestGateway } from '../../../support/http/gateway.ts'
import {
  bothKinds,
  confirm,
  newPassword,
  nobody,
  oneTimeKinds,
  request,
  tokenOf,
} from '../../../support/identity/one-time-tokens.ts'
import { ownAccount, summary } from '../../../support/identity/own-account.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let other: TestGateway
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
})

type Headers = Record<string, string>
const invalid = '400 IDENTITY_TOKEN_INVALID'
const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  ...rest,
})
const self = ({ headers }: { headers: Headers }, { port } = gateway) =>
  call(port, { path: '/identities/self', headers })

for (const kind of bothKinds) {
  const { property, action, minutes } = oneTimeKinds[kind]

  test(`${action}: the token is for the identity named by name, email or id, with its email`, async (t) => {
    const account = await ownAccount(gateway)
    const ada = await account.register({ name: 'Ada', group: 'staff', email: 'Ada@example.com' })
    const now = Date.now()
    for (const named of [
      { name: ' ADA ', group: 'staff' },
      { email: 'ada@EXAMPLE.com', group: 'staff' },
      { identityId: ada.id },
      { identityId: ada.id, group: 'staff' },
    ]) {
      const { status, json } = await request(account, kind, named)
      t.is(status, 200)
      t.deepEqual(Object.keys(json ?? {}), [property, 'expiresAt', 'identity'])
      t.deepEqual(parseToken(String(json?.[property])), { kind })
      const lasts = Date.parse(String(json?.expiresAt)) - now
      t.true(lasts >= minutes * 60_000 - 1_000 && lasts < minutes * 60_000 + 600_000)
      t.like(json?.identity, { id: ada.id, name: 'Ada', group: 'staff', email: 'Ada@example.com' })
    }
  })

  test(`${action}: a missing identity gets the same response: null, with the same headers`, async (t) => {
    const account = await ownAccount(gateway)
    const ada = await account.register({ name: 'Ada', group: 'staff', email: 'ada@example.com' })
    const off = await account.register({ name: 'Off', email: 'off@example.com' })
    await gateway.deps.db.run('update identities set activated = 0 where id = ?', [off.id])
    const stranger = await ownAccount(gateway)
    const found = await request(account, kind, { identityId: ada.id })
    const shape = ({ headers: { date: _, 'x-request-id': __, 'content-length': ___, ...headers } }: Reply) => headers
    for (const [what, reply] of [
      ['an unknown name', await request(account, kind, { name: 'Nobody' })],
      ['an unknown email', await request(account, kind, { email: 'nobody@example.com', group: 'staff' })],
      ['another group', await request(account, kind, { name: 'Ada' })],
      ['another group for an id', await request(account, kind, { identityId: ada.id, group: 'guests' })],
      ['an impossible name', await request(account, kind, { name: 'a/\u0000b', group: ' ' })],
      ['an impossible id', await request(account, kind, { identityId: 'x\u0000' })],
      ['a deactivated identity', await request(account, kind, { name: 'Off' })],
      ['another account', await request(stranger, kind, { identityId: ada.id })],
    ] as const) {
      t.is(reply.status, 200, what)
      t.deepEqual(reply.json, nobody(kind), what)
      t.deepEqual(shape(reply), shape(found), what)
    }
  })

  test(`${action}: exactly one identity must be named, by texts`, async (t) => {
    const account = await ownAccount(gateway)
    for (const body of [{}, { group: 'staff' }, { name: 'a', email: 'a@b' }, { identityId: 'x', name: 'a' }]) {
      t.is(summary(await request(account, kind, body)), '400 VALIDATION_FAILED', JSON.stringify(body))
    }
    t.deepEqual(errorPaths(await request(account, kind, { email: ['a@b', 'c@d'] })), ['email'])
    t.deepEqual(errorPaths(await request(account, kind, { name: 'a', to: 'c@d' })), ['to'])
    t.deepEqual(errorPaths(await confirm(account, kind, { $ne: '' })), [property])
  })

  test(`${action}: no other rule implies it, and its rules apply to the groups and identities that they name`, async (t) => {
    const account = await ownAccount(gateway)
    const ada = await account.register({ name: 'Ada', group: 'staff', email: 'ada@example.com' })
    const by = async (rules: PermissionRule[], body: object = { identityId: ada.id }) => {
      const reply = await request(account, kind, body, await account.token(rules))
      return reply.json?.[property] === null ? 'nobody' : summary(reply)
    }
    const forbidden = '403 TOKEN_NOT_AUTHORIZED'
    const otherAction = kind === 'reset' ? 'verify-email' : 'reset-password'
    t.is(await by([allow(action)]), '200')
    t.is(await by([allow(action, { resourceType: 'identity' })]), '200')
    for (const rules of [
      [],
      [allow('*')],
      [allow('authenticate'), allow(otherAction)],
      [allow(action, { resourceType: 'item' })],
    ]) {
      t.is(await by(rules), forbidden)
      t.is(await by(rules, { name: 'Nobody' }), forbidden)
    }
    t.is(await by([allow(action), { mode: 'block', action: '*' }]), forbidden)
    t.is(await by([allow(action, { groups: ['staff'] })]), '200')
    t.is(await by([allow(action, { groups: ['guests'] })]), 'nobody')
    t.is(await by([allow(action, { identityIds: [ada.id] })], { name: 'Ada', group: 'staff' }), '200')
    t.is(await by([allow(action), { mode: 'block', action, identityIds: [ada.id] }]), 'nobody')
    const viewsOnly = [allow('view'), allow(action, { groups: ['guests'] })]
    for (const named of [{ identityId: ada.id }, { name: 'Ada', group: 'staff' }])
      t.is(await by(viewsOnly, named), forbidden)
    // A caller that may view an identity does not see its email, and must not find out to whom an email belongs.
    t.is(await by(viewsOnly, { email: 'ada@example.com', group: 'staff' }), 'nobody')
    t.is((await request(account, kind, { identityId: ada.id }, account.user)).status, 200)
    const stale = { ...(await account.token([allow(action)])), 'x-identity-token': 'stale', 'x-identity-group': 'gone' }
    t.is((await request(account, kind, { identityId: ada.id }, stale)).status, 200)
  })

  test(`${action}: a token works once, and not after another was requested, after its time or in another account`, async (t) => {
    const { db } = gateway.deps
    const account = await ownAccount(gateway)
    const ada = await account.register({ name: 'Ada', email: 'ada@example.com' })
    const next = async () => tokenOf(kind, await request(account, kind, { identityId: ada.id }))
    const replaced = await next()
    const used = await next()
    t.is(summary(await confirm(account, kind, replaced)), invalid)
    t.is(summary(await confirm(await ownAccount(gateway), kind, used)), invalid)
    t.is(summary(await confirm(account, kind, used)), '200')
    t.is(summary(await confirm(account, kind, used)), invalid)
    const expired = await next()
    await db.run('update identity_one_time_tokens set expires_at = ? where token_hash = ?', [
      Date.now() - 1,
      tokenHash(expired),
    ])
    const wrong = [
      expired,
      generateToken(kind),
      generateToken(kind === 'reset' ? 'verify' : 'reset'),
      '',
      'x',
      ada.token,
    ]
    for (const token of wrong) t.is(summary(await confirm(account, kind, token)), invalid)
    t.is((await confirm(account, kind, 'x'.repeat(2_000))).status, 400)
    const gone = await next()
    await db.run('delete from identities where id = ?', [ada.id])
    t.is(summary(await confirm(account, kind, gone)), invalid)
  })

  test(`${action}: confirming needs authenticate, for the identity of the token`, async (t) => {
    const account = await ownAccount(gateway)
    const ada = await account.register({ name: 'Ada', group: 'staff', email: 'ada@example.com' })
    const token = tokenOf(kind, await request(account, kind, { identityId: ada.id }))
    const by = async (rules: PermissionRule[], given = token) =>
      summary(await confirm(account, kind, given, { headers: await account.token(rules) }))
    for (const given of [token, generateToken(kind)]) {
      t.is(await by([allow(action), allow('view')], given), '403 TOKEN_NOT_AUTHORIZED')
    }
    t.is(await by([allow('authenticate', { groups: ['guests'] })]), invalid)
    t.is(await by([allow('authenticate', { groups: ['staff'] })]), '200')
  })

  test(`${action}: only the hash of a token is stored, and nothing of it is logged`, async (t) => {
    const { db } = gateway.deps
    const account = await ownAccount(gateway)
    const ada = await account.register({ name: 'Ada', email: 'ada@example.com' })
    const token = tokenOf(kind, await request(account, kind, { identityId: ada.id }))
    const rows = await db.all('select * from identity_one_time_tokens where identity_id = ?', [ada.id])
    t.like(rows, [{ kind, token_hash: tokenHash(token) }])
    t.false(JSON.stringify(rows).includes(token))
    await confirm(account, kind, token)
    t.deepEqual(await db.all('select * from identity_one_time_tokens where identity_id = ?', [ada.id]), [])
    const reported = JSON.stringify([gateway.logged(), other.logged(), await account.events()])
    for (const secret of [token, tokenHash(token), newPassword, 'ada@example.com'])
      t.false(reported.includes(secret), secret)
  })
}

test('a one-time token is not a credential, and a credential is not a one-time token', async (t) => {
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada', email: 'ada@example.com' })
  for (const kind of bothKinds) {
    const token = tokenOf(kind, await request(account, kind, { identityId: ada.id }))
    const { 'x-identity-token': _, ...api } = ada.headers
    t.is(summary(await self({ headers: { ...api, 'x-identity-token': token } })), '401 IDENTITY_NOT_AUTHENTICATED')
    for (const headers of [{ 'x-api-token': token }, { authorization: `Bearer ${token}` }]) {
      t.is(summary(await self({ headers: headers as Headers })), '401 USER_NOT_AUTHENTICATED')
    }
    for (const other of ['api', 'session', 'identity', 'setup'] satisfies TokenKind[]) {
      t.is(summary(await confirm(account, kind, generateToken(other))), invalid)
    }
  }
})

test('a signed-in user may request and confirm, a caller without credentials may not', async (t) => {
  const account = await ownAccount(gateway)
  await account.register({ name: 'Ada', email: 'ada@example.com' })
  for (const kind of bothKinds) {
    const token = tokenOf(kind, await request(account, kind, { name: 'Ada' }, account.user))
    t.is((await confirm(account, kind, token, { headers: account.user })).status, 200)
    t.is(summary(await request(account, kind, { name: 'Ada' }, {})), '401 USER_NOT_AUTHENTICATED')
    t.is(summary(await confirm(account, kind, token, { headers: {} })), '401 USER_NOT_AUTHENTICATED')
    const stranger = await makeAccount(gateway.deps.db)
    t.deepEqual((await request(account, kind, { name: 'Ada' }, stranger.user)).json, nobody(kind))
  }
})
