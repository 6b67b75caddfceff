import { toTextOrNull } from '../columns.ts'
import type { Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import type { UserKey } from './users.ts'

/** The preferences of a user, as the JSON text that was stored; null when there is no such user. */
export async function findPreferences(db: Queries, { accountId, userId }: UserKey): Promise<string | null> {
  const row = await db.get(sql`select preferences from users where id = ${userId} and account_id = ${accountId}`)
  return row ? (toTextOrNull(row.preferences) ?? '{}') : null
}

/**
 * Replaces the preferences of a user. The user itself is not changed: `updatedAt` stays.
 * @param change.text a JSON object
 * @returns whether there is such a user
 */
export async function replacePreferences(
  db: Queries,
  { accountId, userId, text }: UserKey & { text: string },
): Promise<boolean> {
  const changed = await db.run(
    sql`update users set preferences = ${text} where id = ${userId} and account_id = ${accountId}`,
  )
  return changed === 1
}
