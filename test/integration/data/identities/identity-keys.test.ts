import test from 'ava'
import { fillIdentityKeys } from '#shared/data/migrations/005-identities.ts'
import { moveAll } from '../../../support/databases/contents/move-all.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'

test('the keys of existing display names are filled in batches', async (t) => {
  const { db } = await testDatabase(t)
  for (const name of ['Straße', 'ΣΊΣΥΦΟΣ', 'ada']) await makeIdentity(db, { accountId: 'account', name })
  const keys = async () => {
    const rows = await db.all<{ key: string }>('select display_name_key as "key" from identities order by id')
    return rows.map(({ key }) => key)
  }
  const written = await keys()
  t.deepEqual(written, ['the strasse', 'the σίσυφοσ', 'the ada'])
  await db.run("update identities set display_name_key = ''")
  t.is(await moveAll(db, fillIdentityKeys, { limit: 2 }), 3)
  t.deepEqual(await keys(), written)
})
