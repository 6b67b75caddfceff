import test from 'ava'
import { identityRoutes } from '#services/gateway/resources/identities/routes.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import type { TestGateway } from '../../../support/http/gateway.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { ownAccount, summary } from '../../../support/identity/own-account.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'

/** An account with ada, and requests by its user. */
async function withAda({ deps: { db }, port }: TestGateway) {
  const { accountId, user } = await makeAccount(db)
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada', email: 'ada@example.com' })
  const post = (path: string, body: object) => call(port, { method: 'POST', path, headers: user, body })
  return { identityId, post }
}

test('of concurrent confirmations of one verification token exactly one wins', async (t) => {
  const gateway = await startGateway(t, { routes: identityRoutes })
  const { identityId, post } = await withAda(gateway)
  const { json } = await post('/identities/email-verification', { identityId })
  const { verificationToken } = json ?? {}
  const confirm = () => post('/identities/email-verification/confirm', { verificationToken })
  const ended = (await Promise.all(Array.from({ length: 8 }, confirm))).map(summary)
  t.deepEqual(ended.toSorted(), ['200', ...Array(7).fill('400 IDENTITY_TOKEN_INVALID')])
  t.is((await gateway.deps.db.all("select id from events where type = 'identity-updated'")).length, 1)
})

test('of concurrent requests for one identity, one token works; those for no identity do not fail', async (t) => {
  const gateway = await startGateway(t, { routes: identityRoutes })
  const { identityId, post } = await withAda(gateway)
  const named = Array.from({ length: 12 }, (_, n) => (n % 2 ? { identityId } : { name: 'Nobody' }))
  const requested = await Promise.all(named.map((who) => post('/identities/email-verification', who)))
  t.deepEqual(new Set(requested.map(summary)), new Set(['200']))
  const tokens = requested.flatMap(({ json }) => json?.verificationToken ?? [])
  t.is(tokens.length, 6)
  const ended: string[] = []
  for (const verificationToken of tokens) {
    ended.push(summary(await post('/identities/email-verification/confirm', { verificationToken })))
  }
  t.deepEqual(ended.toSorted(), ['200', ...Array(5).fill('400 IDENTITY_TOKEN_INVALID')])
})

test('logins and requests for tokens during a deletion: nothing of the identity is left', async (t) => {
  const { gateway } = await startSigningIn(t)
  const account = await ownAccount(gateway)
  const ada = await account.register({ name: 'Ada' })
  const remove = account.ask({ method: 'DELETE', path: '/identities/self', headers: ada.headers })
  const reset = { method: 'POST', path: '/identities/password-reset', body: { name: 'Ada' } }
  const [removed, ...others] = await Promise.all([
    remove,
    ...[1, 2, 3].flatMap(() => [account.login({ name: 'Ada' }), account.ask(reset)]),
  ])
  t.is(summary(removed), '204')
  for (const one of others) t.true(['200', '401 IDENTITY_NOT_AUTHENTICATED'].includes(summary(one)), summary(one))
  const { db } = gateway.deps
  t.deepEqual(await db.all('select id from sessions where subject_id = ?', [ada.id]), [])
  t.deepEqual(await db.all('select kind from identity_one_time_tokens where identity_id = ?', [ada.id]), [])
})
