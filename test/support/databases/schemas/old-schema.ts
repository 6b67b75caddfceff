import { createAccount } from '#shared/data/accounts/accounts.ts'
import type { Database } from '#shared/data/database.ts'
import { listTable } from '#shared/data/lists/columns.ts'
import { up as first } from '#shared/data/migrations/001-first.ts'
import { up as accounts } from '#shared/data/migrations/002-accounts.ts'
import { up as identityTokens } from '#shared/data/migrations/003-identity-tokens.ts'
import { createSettings, putSetting } from '#shared/data/settings/settings.ts'
import { insertRows, rowMapper } from '#shared/data/sql/insert-rows.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { newList } from '#shared/domain/list/settings.ts'
import { testId } from '../contents/rows.ts'

/** The schema of version 3, the last one whose index values had no id. */
export async function migrateToThird(db: Database): Promise<void> {
  await createSettings(db)
  for (const up of [first, accounts, identityTokens]) {
    for (const { sql, bindings } of up(db.build, db.dialect.types)) await db.run(sql, bindings)
  }
  await putSetting(db, 'version', '3')
  await putSetting(db, 'compatibleFrom', '1')
}

/** An account with one list, as the code of that version writes it. */
export async function makeOldList(db: Database): Promise<{ accountId: string; listId: string }> {
  const [accountId, listId] = [testId(), testId()]
  const { indexed_tags: _, terms_id: _id, terms_of: _of, ...columns } = listTable.allColumns
  const list = newList({ name: 'Recipes', pathName: 'recipes' }, { id: listId, accountId, at: 0 })
  await createAccount(db, { id: accountId, name: accountId, plan: 'scale', now: 0 })
  await db.transaction((tx) => insertRows(tx, rowMapper<List>('lists', columns)([list])))
  return { accountId, listId }
}
