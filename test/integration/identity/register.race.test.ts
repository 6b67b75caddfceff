import test from 'ava'
import { normalIdentityName } from '#shared/domain/identity/identity.ts'
import type { AppError } from '#shared/errors.ts'
import { startIdentity } from '../../support/identity/identity.ts'

const nameOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'registered',
    (error: AppError) => error.name,
  )

// Serial: it fills the queue of hashes of the process.
test.serial('of 64 concurrent registrations of one name, in any form, exactly one wins', async (t) => {
  const { db, register } = await startIdentity(t)
  const forms = [
    'Zo\u00eb',
    'zoe\u0308',
    'ZO\u00cb',
    'ZOE\u0308',
    ' Zo\u00eb',
    'zO\u00eb\u3000',
    '\tzo\u00cb',
    'ZoE\u0308 ',
  ]
  const racers = Array.from({ length: 64 }, (_, n) => normalIdentityName(forms[n % forms.length] ?? ''))
  const outcomes = await Promise.all(racers.map((name) => nameOf(register({ name, group: 'staff' }))))
  // With few cores, too many hashes are waiting for the last ones to join the queue.
  const rejected = new Set(['IDENTITY_UNABLE_TO_CREATE', 'SERVICE_UNAVAILABLE'])
  t.is(outcomes.filter((outcome) => outcome === 'registered').length, 1)
  t.is(outcomes.filter((outcome) => rejected.has(outcome)).length, 63)
  t.is((await db.all('select id from identities')).length, 1)
  t.is((await db.all('select id from events')).length, 1)
})

test('another accent or width is another name', async (t) => {
  const { register } = await startIdentity(t)
  const names = ['zoe', 'zo\u00eb', 'zo\u00e9', '\uff5aoe']
  const outcomes = await Promise.all(names.map((name) => nameOf(register({ name }))))
  t.deepEqual(outcomes, Array(4).fill('registered'))
})

test('of concurrent registrations of one email exactly one wins', async (t) => {
  const { db, register } = await startIdentity(t)
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, (_, n) => nameOf(register({ name: `n${n}`, email: n % 2 ? 'a@b' : 'A@B' }))),
  )
  t.is(outcomes.filter((outcome) => outcome === 'registered').length, 1)
  t.is((await db.all('select id from identities')).length, 1)
})

test('concurrent first registrations of a group create it once', async (t) => {
  const { db, register } = await startIdentity(t)
  const all = await Promise.all(Array.from({ length: 8 }, (_, n) => register({ name: `n${n}`, group: 'new' })))
  t.is(new Set(all.map(({ identityId }) => identityId)).size, 8)
  t.is((await db.all('select id from identity_groups')).length, 1)
  t.is((await db.all('select distinct group_id from identities')).length, 1)
})
