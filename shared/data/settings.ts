import type { Queries, Transaction } from './database.ts'
import { sql } from './sql/sql.ts'
import { excluded, forUpdate, onConflict } from './sql/statements.ts'

/** What the database says of itself; `migrationStep` tells how far an unfinished migration is, `secretsCheck` is a sealed value that only the right master key opens, and `trial` tries whether anything can be stored. */
export type SettingKey = 'version' | 'compatibleFrom' | 'migrationStep' | 'secretsCheck' | 'trial'

/** The table stands before the first migration, because the migrations' own state lives in it. */
export async function createSettings(db: Queries): Promise<void> {
  await db.run(({ types }) => {
    const collation = types.collation === null ? '' : ` collate ${types.collation}`
    const columns = `name ${types.text(50)} primary key, value ${types.longText} not null`
    return { text: `create table if not exists settings (${columns})${collation}`, bindings: [] }
  })
}

export async function getSetting(db: Queries, name: SettingKey): Promise<string | null> {
  const row = await db.get<{ value: string }>('select value from settings where name = ?', [name])
  return row?.value ?? null
}

export async function putSetting(db: Queries, name: SettingKey, value: string): Promise<void> {
  await db.run(sql`insert into settings (name, value) values (${name}, ${value})
    ${onConflict(['name'], { value: excluded('value') })}`)
}

/** Puts a setting that is not there. @returns what it is now: another process may have put it first */
export async function putIfAbsent(db: Queries, name: SettingKey, value: string): Promise<string> {
  await db.run(sql`insert into settings (name, value) values (${name}, ${value}) ${onConflict(['name'], {})}`)
  return (await getSetting(db, name)) ?? value
}

/**
 * Until the transaction ends no other goes on behind this: for what may be made once in an installation and has no unique
 * key that says so.
 */
export async function lockInstallation(tx: Transaction): Promise<void> {
  await tx.all(sql`select value from settings where name = ${'version' satisfies SettingKey} ${forUpdate}`)
}
