import type { Queries, Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { excluded, forShare, forUpdate, onConflict } from '../sql/statements.ts'

/**
 * State of the installation: `migrationStep` is how many parts of an unfinished migration are done, `migrationCursor` is where the part
 * that moves data continues, `secretsCheck` and `oldKeys` identify the keys that secrets are sealed with (`secrets/sealing-key.ts`),
 * `installationId` and `marks` distinguish installations that share a NATS server (`installation.ts`), `unfinishedCopy` exists while
 * another database is copied into this one, and `trial` is written to test whether anything can be stored. `eventsCleanAt`,
 * `deliveriesCleanAt` and `runsCleanAt` show whether retention keeps up (`retention-runs.ts`).
 */
export type SettingKey =
  | 'version'
  | 'compatibleFrom'
  | 'migrationStep'
  | 'migrationCursor'
  | 'secretsCheck'
  | 'oldKeys'
  | 'installationId'
  | 'marks'
  | 'unfinishedCopy'
  | 'eventsCleanAt'
  | 'deliveriesCleanAt'
  | 'runsCleanAt'
  | 'trial'

/** Created before the first migration, because the table stores the state of migrations. */
export async function createSettings(db: Queries): Promise<void> {
  await db.run(({ types }) => {
    const collation = types.collation === null ? '' : ` collate ${types.collation}`
    const columns = `name ${types.text(50)} primary key, value ${types.longText} not null`
    return { text: `create table if not exists settings (${columns})${collation}`, bindings: [] }
  })
}

export async function findSetting(db: Queries, name: SettingKey): Promise<string | null> {
  const row = await db.get<{ value: string }>(sql`select value from settings where name = ${name}`)
  return row?.value ?? null
}

/** The same for a transaction that relies on the value until it ends. */
export async function readSettingForShare(tx: Transaction, name: SettingKey): Promise<string | null> {
  const row = await tx.get<{ value: string }>(sql`select value from settings where name = ${name} ${forShare}`)
  return row?.value ?? null
}

/** The same for a transaction that changes the value. */
export async function readSettingForUpdate(tx: Transaction, name: SettingKey): Promise<string | null> {
  const row = await tx.get<{ value: string }>(sql`select value from settings where name = ${name} ${forUpdate}`)
  return row?.value ?? null
}

export async function putSetting(db: Queries, name: SettingKey, value: string): Promise<void> {
  await db.run(sql`insert into settings (name, value) values (${name}, ${value})
    ${onConflict(['name'], { value: excluded('value') })}`)
}

export async function deleteSetting(db: Queries, name: SettingKey): Promise<void> {
  await db.run(sql`delete from settings where name = ${name}`)
}

/** Stores a setting unless it exists. @returns its value now: another process may have stored it first */
export async function putIfAbsent(db: Queries, name: SettingKey, value: string): Promise<string> {
  await db.run(sql`insert into settings (name, value) values (${name}, ${value}) ${onConflict(['name'], {})}`)
  return (await findSetting(db, name)) ?? value
}

/**
 * Lets one transaction at a time past this point, until it ends: for what may exist only once in an installation and has no
 * unique key to enforce that.
 */
export async function lockInstallation(tx: Transaction): Promise<void> {
  await tx.all(sql`select value from settings where name = ${'version' satisfies SettingKey} ${forUpdate}`)
}
