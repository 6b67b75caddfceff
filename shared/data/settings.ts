import type { Queries } from './database.ts'

/** What the database says of itself; `secretsCheck` is a sealed value that only the right master key opens. */
export type SettingKey = 'version' | 'compatibleFrom' | 'secretsCheck'

/** The table stands before the first migration, because the migrations' own state lives in it. */
export async function createSettings(db: Queries): Promise<void> {
  await db.run('create table if not exists settings (name varchar(50) primary key, value text not null)')
}

export async function getSetting(db: Queries, name: SettingKey): Promise<string | null> {
  const row = await db.get<{ value: string }>('select value from settings where name = ?', [name])
  return row?.value ?? null
}

export async function putSetting(db: Queries, name: SettingKey, value: string): Promise<void> {
  const changed = await db.run('update settings set value = ? where name = ?', [value, name])
  if (changed === 0) await db.run('insert into settings (name, value) values (?, ?)', [name, value])
}
