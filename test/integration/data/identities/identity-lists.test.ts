import test from 'ava'
import { listIdentities } from '#shared/data/identities/identities.ts'
import { listGroups } from '#shared/data/identities/identity-groups.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'

test('identities and groups of an account, or of all, are listed in the order of creation, up to a limit', async (t) => {
  const { db } = await testDatabase(t)
  await makeIdentity(db, { accountId: 'one', name: 'ada', group: 'staff' })
  await makeIdentity(db, { accountId: 'one', name: 'bob' })
  await makeIdentity(db, { accountId: 'two', name: 'eve', group: 'staff' })
  const names = async (options: { accountId?: string; group?: string; limit?: number }) =>
    (await listIdentities(db, { limit: 10, ...options })).map(({ name }) => name)
  t.deepEqual(await names({}), ['ada', 'bob', 'eve'])
  t.deepEqual(await names({ limit: 2 }), ['ada', 'bob'])
  t.deepEqual(await names({ accountId: 'one' }), ['ada', 'bob'])
  t.deepEqual(await names({ group: 'staff' }), ['ada', 'eve'])
  t.deepEqual(await names({ accountId: 'one', group: '' }), ['bob'])
  const accounts = async (options: { accountId?: string; limit?: number }) =>
    (await listGroups(db, { limit: 10, ...options })).map(({ accountId }) => accountId)
  t.deepEqual(await accounts({}), ['one', 'two'])
  t.deepEqual(await accounts({ accountId: 'two' }), ['two'])
  t.deepEqual(await accounts({ limit: 1 }), ['one'])
})
