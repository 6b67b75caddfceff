import type { Database } from '#shared/data/database.ts'
import { testBackend } from './database.ts'

/**
 * From now on the database finds no free space: on SQLite for anything that needs another page, on a server for settings, with the
 * error of a full disk.
 */
export function fillDisk(db: Database): Promise<void> {
  return all(db, statements[testBackend].fill)
}

export function makeRoom(db: Database): Promise<void> {
  return all(db, statements[testBackend].empty)
}

const statements = {
  sqlite: { fill: ['pragma max_page_count = 1'], empty: ['pragma max_page_count = 1000000'] },
  postgres: {
    fill: [
      `create function reject() returns trigger language plpgsql as
        'begin raise exception ''no space left'' using errcode = ''53100''; end'`,
      'create trigger rejecting before insert on settings for each row execute function reject()',
    ],
    empty: ['drop trigger rejecting on settings'],
  },
  mysql: {
    fill: [
      `create trigger rejecting before insert on settings for each row
        signal sqlstate 'HY000' set mysql_errno = 1021, message_text = 'no space left'`,
    ],
    empty: ['drop trigger rejecting'],
  },
} as const

/** SQLite has this setting for the writing connection. */
async function all(db: Database, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    if (testBackend === 'sqlite') await db.transaction((tx) => tx.all(text))
    else await db.build.raw(text)
  }
}
