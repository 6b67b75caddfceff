import { startExitCodes } from '#shared/lifecycle/start-error.ts'
import type { Database, Queries } from './database.ts'
import { isMissingTable } from './database-errors.ts'
import { applyMigration, type MoveProgress } from './migrations/apply-migration.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/migrations.ts'
import { SchemaError } from './schema-error.ts'
import { createSettings, findSetting } from './settings/settings.ts'

const codeVersion = migrations.at(-1)?.version ?? 0

type SchemaState = { version: number; compatibleFrom: number; codeVersion: number }

/** The version of the database's schema; 0 is an empty database. */
export async function schemaState(db: Queries): Promise<SchemaState> {
  const version = Number((await findSetting(db, 'version')) ?? 0)
  return { version, compatibleFrom: await readCompatibleFrom(db), codeVersion }
}

/** The oldest version of listd's schema that still runs on the database's. */
export async function readCompatibleFrom(db: Queries): Promise<number> {
  return Number((await findSetting(db, 'compatibleFrom')) ?? 0)
}

/**
 * The schema's version, the versions that `migrate` would still apply, and whether this code runs on the schema. The names
 * are part of the CLI: `listd migrate --status --json` prints them.
 */
export type SchemaStatus = SchemaState & { waiting: number[]; state: 'fits' | 'too-old' | 'too-new' }

export async function schemaStatus(db: Database): Promise<SchemaStatus> {
  const schema = await stateOrEmpty(db)
  const waiting = migrations.map(({ version }) => version).filter((version) => version > schema.version)
  const state = schema.compatibleFrom > codeVersion ? 'too-new' : waiting.length > 0 ? 'too-old' : 'fits'
  return { ...schema, waiting: state === 'too-new' ? [] : waiting, state }
}

/** The effect of a migration: `compatibleFromThen` is the oldest version that runs on the result. */
export type SchemaUpgrade = Pick<SchemaState, 'version' | 'compatibleFrom'> & { compatibleFromThen: number }

/** @returns null when there is nothing to upgrade, or no schema yet */
export async function pendingUpgrade(db: Database): Promise<SchemaUpgrade | null> {
  const { version, compatibleFrom, state } = await schemaStatus(db)
  if (version === 0 || state !== 'too-old') return null
  return { version, compatibleFrom, compatibleFromThen: migrations.at(-1)?.compatibleFrom ?? 0 }
}

type MigrateOptions = {
  /** The steps to apply, this version's unless a test has others. */
  steps?: readonly Migration[]
  /** Called after every batch of a step that moves data; the next batch waits for it. */
  onProgress?(progress: MoveProgress): unknown
}

/**
 * Brings the schema up to this code's version. One process at a time migrates; a later one finds nothing left to do, or
 * finishes what a process that died left undone. On SQLite two share the work.
 * @throws SchemaError when the database is newer than this code can run on, or a step fails: the message says what is left of the
 *   step
 */
export function migrate(db: Database, options: MigrateOptions = {}): Promise<{ from: number; to: number }> {
  const { steps = migrations, onProgress = () => {} } = options
  return db.withMigrationLock(async (alone) => {
    await createSettings(alone)
    await assertNoUnfinishedCopy(alone)
    const { version: from, compatibleFrom } = await schemaState(alone)
    const last = steps.at(-1)?.version ?? 0
    assertNotTooNew({ compatibleFrom }, last)
    const context = { alone, onProgress, checkpoint: db.checkpoint }
    for (const step of steps) if (step.version > from) await applyMigration(context, step)
    return { from, to: Math.max(from, last) }
  })
}

/** @throws SchemaError when this code cannot run on the schema */
export async function checkSchema(db: Database): Promise<void> {
  const state = await stateOrEmpty(db)
  assertNotTooNew(state)
  if (state.version > 0) await assertNoUnfinishedCopy(db)
  if (state.version >= codeVersion) return
  throw new SchemaError(
    `The database schema is at version ${state.version} and this listd needs ${codeVersion}. Run "listd migrate" first.`,
  )
}

/** Whether this code still runs on the schema: another process may migrate it while this one runs. Reads only. */
export async function schemaFits(db: Queries): Promise<boolean> {
  return (await readCompatibleFrom(db)) <= codeVersion
}

/** Creates no table, so that reading the state needs no right to create one. */
function stateOrEmpty(db: Database): Promise<SchemaState> {
  return schemaState(db).catch((error) => {
    if (isMissingTable(error)) return { version: 0, compatibleFrom: 0, codeVersion }
    throw error
  })
}

/** @throws SchemaError when a newer listd has migrated the database to a schema that this code cannot run on */
export function assertNotTooNew({ compatibleFrom }: Pick<SchemaState, 'compatibleFrom'>, known = codeVersion): void {
  if (compatibleFrom <= known) return
  throw new SchemaError(
    `The database was migrated by a newer listd and needs one that supports schema version ${compatibleFrom}; ` +
      `this listd supports versions up to ${known}. Start the newer listd, or restore a backup from before the upgrade.`,
    startExitCodes.configuration,
  )
}

/** Otherwise a service would run on a part of the data. */
async function assertNoUnfinishedCopy(db: Queries): Promise<void> {
  if ((await findSetting(db, 'unfinishedCopy')) === null) return
  throw new SchemaError(
    'Another database was being copied into this one, and the copy was not finished. ' +
      'Repeat "listd db copy" with --restart, or use another database.',
    startExitCodes.configuration,
  )
}
