import test from 'ava'
import { createAccount, findAccount, listAccounts, setPlan } from '#shared/data/accounts/accounts.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('an account is found by its id, and by its name as the command line knows it', async (t) => {
  const { db } = await testDatabase(t)
  const one = await createAccount(db, { id: 'a1', name: 'one', plan: 'scale', now: 1_700_000_000_000 })
  const two = await createAccount(db, { id: 'a2', name: 'two', plan: 'free', now: 1_700_000_000_001 })
  t.like(one, { createdAt: 1_700_000_000_000, updatedAt: 1_700_000_000_000, plan: 'scale' })
  t.deepEqual(await findAccount(db, 'a2'), two)
  t.is(await findAccount(db, 'a3'), null)
  t.deepEqual(await listAccounts(db, { named: 'one', limit: 10 }), [one])
  t.deepEqual(await listAccounts(db, { named: 'a2', limit: 10 }), [two])
  t.deepEqual(await listAccounts(db, { named: 'One', limit: 10 }), [])
  t.deepEqual(await listAccounts(db, { limit: 10 }), [one, two])
  t.deepEqual(await listAccounts(db, { limit: 1 }), [one])
})

test('an account is moved to another plan', async (t) => {
  const { db } = await testDatabase(t)
  await createAccount(db, { id: 'a', name: 'A', plan: 'scale', now: 1 })
  t.true(await setPlan(db, { accountId: 'a', plan: 'free', now: 2 }))
  t.like(await findAccount(db, 'a'), { plan: 'free', createdAt: 1, updatedAt: 2 })
  t.false(await setPlan(db, { accountId: 'b', plan: 'free', now: 2 }))
})
