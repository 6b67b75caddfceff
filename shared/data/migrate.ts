import type { Knex } from 'knex'
import type { Database, Queries } from './database.ts'
import { up as first } from './migrations/001-first.ts'
import { up as identities } from './migrations/002-identities.ts'
import { up as deliveries } from './migrations/003-deliveries.ts'
import { fill as fillLists, up as lists } from './migrations/004-lists.ts'
import { up as firstRun } from './migrations/005-first-run.ts'
import { up as events } from './migrations/006-events.ts'
import { createSettings, getSetting, putSetting } from './settings.ts'

/**
 * Forward only. `compatibleFrom` is the oldest schema version whose code still runs on the result:
 * a rolling update keeps old processes going while it can, and an older build is refused only where it cannot.
 */
type Migration = {
  version: number
  compatibleFrom: number
  up(build: Knex): Knex.SchemaBuilder
  /** Computes what SQL cannot, behind the statements of `up` in their transaction. */
  fill?(tx: Queries): Promise<void>
}

const migrations: readonly Migration[] = [
  { version: 1, compatibleFrom: 1, up: first },
  // Older code would write items back without their owners.
  { version: 2, compatibleFrom: 2, up: identities },
  // Older code would count pings as waiting deliveries and try them again.
  { version: 3, compatibleFrom: 3, up: deliveries },
  // Older code would count no deactivated items and write no tags of items, nor keys of names.
  { version: 4, compatibleFrom: 4, up: lists, fill: fillLists },
  // Older code makes no set-up links, and needs none.
  { version: 5, compatibleFrom: 4, up: firstRun },
  // Older code would not count the entries it writes.
  { version: 6, compatibleFrom: 6, up: events },
]
const codeVersion = migrations.at(-1)?.version ?? 0

/** Why a service cannot run on this database, as one sentence that says what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

export type SchemaState = { version: number; compatibleFrom: number; codeVersion: number }

/** What the database's schema is; version 0 is an empty database. */
export async function schemaState(db: Queries): Promise<SchemaState> {
  const version = Number((await getSetting(db, 'version')) ?? 0)
  const compatibleFrom = Number((await getSetting(db, 'compatibleFrom')) ?? 0)
  return { version, compatibleFrom, codeVersion }
}

/** What the schema is, which steps `migrate` would take, and whether this code runs on it. */
export type SchemaStatus = SchemaState & { waiting: number[]; state: 'fits' | 'too-old' | 'too-new' }

export async function schemaStatus(db: Database): Promise<SchemaStatus> {
  await createSettings(db)
  const schema = await schemaState(db)
  const waiting = migrations.map(({ version }) => version).filter((version) => version > schema.version)
  const state = schema.compatibleFrom > codeVersion ? 'too-new' : waiting.length > 0 ? 'too-old' : 'fits'
  return { ...schema, waiting: state === 'too-new' ? [] : waiting, state }
}

/**
 * Brings the schema up to this code's version, every step in its own transaction. Two processes may call it at once:
 * a step looks at the version again inside its transaction, so each is done once.
 * @throws SchemaError when the database is newer than this code can run on
 */
export async function migrate(db: Database): Promise<{ from: number; to: number }> {
  await createSettings(db)
  const state = await schemaState(db)
  refuseNewer(state)
  for (const migration of migrations) {
    if (migration.version > state.version) await applyOnce(db, migration)
  }
  return { from: state.version, to: Math.max(state.version, codeVersion) }
}

/** Refuses to serve on a schema that this code does not fit. @throws SchemaError */
export async function checkSchema(db: Database): Promise<void> {
  await createSettings(db)
  const state = await schemaState(db)
  refuseNewer(state)
  if (state.version >= codeVersion) return
  throw new SchemaError(
    `The database schema is at version ${state.version} and this listd needs ${codeVersion}. Run "listd migrate" first.`,
  )
}

/** Whether this code still runs on the schema: another process may migrate it under a running one. Reads only. */
export async function schemaFits(db: Queries): Promise<boolean> {
  return (await schemaState(db)).compatibleFrom <= codeVersion
}

function refuseNewer({ compatibleFrom }: SchemaState): void {
  if (compatibleFrom <= codeVersion) return
  throw new SchemaError(
    `The database was migrated by a newer listd and runs only with schema version ${compatibleFrom} or later; ` +
      `this listd knows ${codeVersion}. Start the newer listd, or restore a backup made before the upgrade.`,
  )
}

async function applyOnce(db: Database, migration: Migration): Promise<void> {
  const statements = migration.up(db.build).toSQL()
  await db.transaction(async (tx) => {
    if ((await schemaState(tx)).version >= migration.version) return
    for (const { sql, bindings } of statements) await tx.run(sql, bindings)
    await migration.fill?.(tx)
    await putSetting(tx, 'version', String(migration.version))
    await putSetting(tx, 'compatibleFrom', String(migration.compatibleFrom))
  })
}
