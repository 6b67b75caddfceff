import type { Database } from './database.ts'

const batchRows = 500

/**
 * Deletes one batch of sessions, of users and identities, that have run out, and of counts of failed logins that nothing
 * depends on any more. A session that ended earlier, by settings of its group, goes at the time that was promised.
 * @param now epoch milliseconds
 * @returns how many rows of each went; `more`: there may be further ones
 */
export async function deleteEndedSignIns(
  db: Database,
  now: number,
): Promise<{ sessions: number; attempts: number; more: boolean }> {
  const sessions = await db.run(
    'delete from sessions where id in (select id from sessions where expires_at <= ? order by expires_at limit ?)',
    [now, batchRows],
  )
  const attempts = await db.run(
    `delete from login_attempts where login_key in
      (select login_key from login_attempts where forget_at <= ? order by forget_at limit ?)`,
    [now, batchRows],
  )
  return { sessions, attempts, more: sessions === batchRows || attempts === batchRows }
}
