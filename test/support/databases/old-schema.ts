import type { Database } from '#shared/data/database.ts'
import { up as first } from '#shared/data/migrations/001-first.ts'
import { up as accounts } from '#shared/data/migrations/002-accounts.ts'
import { up as identityTokens } from '#shared/data/migrations/003-identity-tokens.ts'
import { createSettings, putSetting } from '#shared/data/settings.ts'

/** The schema of version 3, the last one whose index values had no id of their own. */
export async function migrateToThird(db: Database): Promise<void> {
  await createSettings(db)
  for (const up of [first, accounts, identityTokens]) {
    for (const { sql, bindings } of up(db.build, db.dialect.types)) await db.run(sql, bindings)
  }
  await putSetting(db, 'version', '3')
  await putSetting(db, 'compatibleFrom', '1')
}
