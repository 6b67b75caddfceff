import test from 'ava'
import { verifyPassword } from '#shared/crypto/password.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { listAccounts } from '#shared/data/accounts/accounts.ts'
import { findTokenByHash } from '#shared/data/tokens/tokens.ts'
import { findSessionByTokenHash } from '#shared/data/users/sessions.ts'
import { findUserByEmailKey } from '#shared/data/users/users.ts'
import type { AppError } from '#shared/errors.ts'
import { watchHashing } from '../../support/identity/hashing.ts'
import { password } from '../../support/identity/identity.ts'
import { setUp, startEmpty } from '../../support/identity/identity-setup.ts'

const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => Promise.reject(new Error('it was set up')),
    ({ name, details }: AppError) => [name, details?.reason],
  )

test('set-up creates account, user, session and a token that allows everything', async (t) => {
  const identity = await startEmpty(t)
  const { db, hash } = identity
  const answer = await setUp(identity, { tokenHash: hash })
  const [account] = await listAccounts(db, { limit: 5 })
  t.like(account, { id: answer.accountId, name: 'main', plan: 'scale' })
  const user = await findUserByEmailKey(db, 'ada@example.com')
  t.like(user, { id: answer.userId, accountId: answer.accountId })
  t.true(await verifyPassword(user?.passwordHash ?? '', password))
  t.not(user?.lastLoginAt, null)
  t.like(await findSessionByTokenHash(db, tokenHash(answer.token)), {
    userId: answer.userId,
    expiresAt: answer.expiresAt,
  })
  t.deepEqual((await findTokenByHash(db, tokenHash(answer.apiToken)))?.permissions, [
    { mode: 'allow', action: '*' },
    { mode: 'allow', action: 'reset-password' },
    { mode: 'allow', action: 'verify-email' },
  ])
  t.is((await identity.login({ email: 'ada@example.com' })).userId, answer.userId)
})

test.serial('an invalid token is rejected with the reason, and nothing is hashed for it', async (t) => {
  const identity = await startEmpty(t)
  const { db, hash } = identity
  const hashing = watchHashing(t)
  t.deepEqual(await failure(setUp(identity, { tokenHash: tokenHash('x') })), ['IDENTITY_TOKEN_INVALID', 'unknown'])
  await db.run('update one_time_tokens set expires_at = 1')
  t.deepEqual(await failure(setUp(identity, { tokenHash: hash })), ['IDENTITY_TOKEN_INVALID', 'expired'])
  t.deepEqual(hashing.created, [])
  await db.run('update one_time_tokens set expires_at = ?', [Date.now() + 60_000])
  await setUp(identity, { tokenHash: hash })
  t.deepEqual(await failure(setUp(identity, { tokenHash: hash })), ['IDENTITY_TOKEN_INVALID', 'used'])
  t.deepEqual(hashing.created, ['m=19456,t=2,p=1'])
})

test('nothing secret is logged', async (t) => {
  const identity = await startEmpty(t)
  const { token, apiToken } = await setUp(identity, { tokenHash: identity.hash, email: 'canary@example.com' })
  t.true(identity.logged().includes('user.first_created'))
  for (const secret of [token, apiToken, password, identity.hash, 'canary']) t.false(identity.logged().includes(secret))
})
