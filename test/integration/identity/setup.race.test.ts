import test from 'ava'
import type { UserSetupAnswer } from '#shared/bus/messages/identity.ts'
import { newId } from '#shared/crypto/ids.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { listAccounts } from '#shared/data/accounts/accounts.ts'
import { findTokenByHash } from '#shared/data/tokens/tokens.ts'
import { findSessionByTokenHash } from '#shared/data/users/sessions.ts'
import { listUsers } from '#shared/data/users/users.ts'
import { password } from '../../support/identity/identity.ts'
import { setUp, startEmpty } from '../../support/identity/identity-setup.ts'
import { askWithKey } from '../../support/nats/asked-again.ts'
import { rawClient } from '../../support/nats/bus.ts'

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

test('a repeated set-up signs in the user that it created, and gives its token another value', async (t) => {
  const { db, hash, natsUrl } = await startEmpty(t)
  const client = await rawClient(t, natsUrl)
  const key = newId()
  const body = { tokenHash: hash, email: 'ada@example.com', password }
  const ask = () => askWithKey<UserSetupAnswer>(client, { subject: 'identity.setup', key, body })
  const [first, second] = [await ask(), await ask()]
  t.deepEqual([first.userId, second.userId, second.accountId], [key, key, first.accountId])
  t.is(await findTokenByHash(db, tokenHash(first.apiToken)), null)
  t.truthy(await findTokenByHash(db, tokenHash(second.apiToken)))
  t.truthy(await findSessionByTokenHash(db, tokenHash(second.token)))
  t.is((await db.all('select id from tokens')).length, 1)
})
