import test from 'ava'
import type { AppError } from '#shared/errors.ts'
import { startIdentity } from '../../support/identity/identity.ts'

const nameOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'registered',
    (error: AppError) => error.name,
  )

test('of registrations of one name that race exactly one wins', async (t) => {
  const { db, register } = await startIdentity(t)
  const names = ['Ada', 'ada', ' ADA', 'aDa', 'Ada', 'ada', 'ADA', 'adA']
  const group = 'staff'
  const outcomes = await Promise.all(names.map((name) => nameOf(register({ name: name.trim(), group }))))
  t.deepEqual(outcomes.toSorted(), [...Array(7).fill('IDENTITY_UNABLE_TO_CREATE'), 'registered'])
  t.is((await db.all('select id from identities')).length, 1)
  t.is((await db.all('select id from events')).length, 1)
})

test('of registrations of one email that race exactly one wins', async (t) => {
  const { db, register } = await startIdentity(t)
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, n) => nameOf(register({ name: `n${n}`, email: n % 2 ? 'a@b' : 'A@B' }))),
  )
  t.is(outcomes.filter((outcome) => outcome === 'registered').length, 1)
  t.is((await db.all('select id from identities')).length, 1)
})

test('first registrations of a group that race make it once', async (t) => {
  const { db, register } = await startIdentity(t)
  const all = await Promise.all(Array.from({ length: 8 }, (_, n) => register({ name: `n${n}`, group: 'new' })))
  t.is(new Set(all.map(({ identityId }) => identityId)).size, 8)
  t.is((await db.all('select id from identity_groups')).length, 1)
  t.is((await db.all('select distinct group_id from identities')).length, 1)
})
