import type { Knex } from 'knex'
import type { Database, MigrationQueries, Queries } from './database.ts'
import { isMissingTable } from './drivers/database-errors.ts'
import { up as first } from './migrations/001-first.ts'
import { createSettings, getSetting, putSetting } from './settings.ts'
import type { ColumnTypes } from './sql/dialect.ts'

/**
 * Forward only. `compatibleFrom` is the oldest schema version whose code still runs on the result:
 * a rolling update keeps old processes going while it can, and an older build is refused only where it cannot.
 */
type Migration = {
  version: number
  compatibleFrom: number
  /** Statements of which each changes the schema, or changes rows in a way that may be done once only. */
  up(build: Knex, types: ColumnTypes): readonly Knex.Sql[]
}

const migrations: readonly Migration[] = [{ version: 1, compatibleFrom: 1, up: first }]
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
  const schema = await stateOrNone(db)
  const waiting = migrations.map(({ version }) => version).filter((version) => version > schema.version)
  const state = schema.compatibleFrom > codeVersion ? 'too-new' : waiting.length > 0 ? 'too-old' : 'fits'
  return { ...schema, waiting: state === 'too-new' ? [] : waiting, state }
}

/**
 * Brings the schema up to this code's version. One process does it at a time, and whoever comes later finds it done; what
 * a process that died has left undone, the next one does.
 * @throws SchemaError when the database is newer than this code can run on
 */
export function migrate(db: Database): Promise<{ from: number; to: number }> {
  return db.withMigrationLock(async (alone) => {
    await createSettings(alone)
    const state = await schemaState(alone)
    refuseNewer(state)
    for (const migration of migrations) {
      if (migration.version > state.version) await apply(alone, migration)
    }
    return { from: state.version, to: Math.max(state.version, codeVersion) }
  })
}

/** Refuses to serve on a schema that this code does not fit. @throws SchemaError */
export async function checkSchema(db: Database): Promise<void> {
  const state = await stateOrNone(db)
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

/** Makes nothing: looking needs no right to make tables. */
function stateOrNone(db: Database): Promise<SchemaState> {
  return schemaState(db).catch((error) => {
    if (isMissingTable(error)) return { version: 0, compatibleFrom: 0, codeVersion }
    throw error
  })
}

function refuseNewer({ compatibleFrom }: SchemaState): void {
  if (compatibleFrom <= codeVersion) return
  throw new SchemaError(
    `The database was migrated by a newer listd and runs only with schema version ${compatibleFrom} or later; ` +
      `this listd knows ${codeVersion}. Start the newer listd, or restore a backup made before the upgrade.`,
  )
}

/** One transaction where changes of the schema belong to it; otherwise step by step. */
async function apply(alone: MigrationQueries, migration: Migration): Promise<void> {
  const statements = migration.up(alone.build, alone.dialect.types)
  if (!alone.dialect.transactionalSchema) await applyStepwise(alone, statements)
  await alone.transaction(async (tx) => {
    if ((await schemaState(tx)).version >= migration.version) return
    if (alone.dialect.transactionalSchema) for (const { sql, bindings } of statements) await tx.run(sql, bindings)
    await putSetting(tx, 'version', String(migration.version))
    await putSetting(tx, 'compatibleFrom', String(migration.compatibleFrom))
    await putSetting(tx, 'migrationStep', '0')
  })
}

/**
 * Each statement with a note of how far this went, so that a process that was killed is followed by one that goes on
 * behind it. One that changes the schema commits before the note: it is tried once more then, and found done.
 */
async function applyStepwise(alone: MigrationQueries, statements: readonly Knex.Sql[]): Promise<void> {
  const done = Number((await getSetting(alone, 'migrationStep')) ?? 0)
  for (const [position, { sql, bindings }] of statements.entries()) {
    if (position < done) continue
    await alone.transaction(async (tx) => {
      await tx.run(sql, bindings).catch((error) => {
        if (!alone.dialect.isSchemaChangeDone(error)) throw error
      })
      await putSetting(tx, 'migrationStep', String(position + 1))
    })
  }
}
