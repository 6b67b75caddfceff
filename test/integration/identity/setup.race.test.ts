import test from 'ava'
import { listAccounts } from '#shared/data/accounts/accounts.ts'
import { listUsers } from '#shared/data/users/users.ts'
import { setUp, startEmpty } from '../../support/identity/identity-setup.ts'

test('of ten set-ups at once one wins, and leaves one user, one account, one token', async (t) => {
  const identity = await startEmpty(t)
  const { db, hash } = identity
  const asked = Array.from({ length: 10 }, (_, n) => setUp(identity, { tokenHash: hash, email: `u${n}@example.com` }))
  const outcomes = await Promise.allSettled(asked)
  t.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') t.like(outcome.reason, { name: 'IDENTITY_TOKEN_INVALID', code: 20_011 })
  }
  t.is((await listUsers(db, { limit: 5 })).length, 1)
  t.is((await listAccounts(db, { limit: 5 })).length, 1)
  t.is((await db.all('select id from tokens')).length, 1)
})
