import type { Knex } from 'knex'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import type { Database, MigrationQueries, Queries, Transaction } from './database.ts'
import { isMissingTable } from './database-errors.ts'
import type { ColumnTypes } from './dialect.ts'
import { up as first } from './migrations/001-first.ts'
import { up as accounts, fillTokenKeys } from './migrations/002-accounts.ts'
import { up as identityTokens } from './migrations/003-identity-tokens.ts'
import { up as indexBuilds } from './migrations/004-index-builds.ts'
import { fillIdentityKeys, up as identities } from './migrations/005-identities.ts'
import { up as idempotencyKeys } from './migrations/006-idempotency-keys.ts'
import { dropNumberValues, fillIndexEntries, up as indexEntries } from './migrations/007-index-entries.ts'
import { up as oldSecrets } from './migrations/009-old-secrets.ts'
import { createSettings, findSetting, putSetting } from './settings.ts'

/**
 * Forward only. `compatibleFrom` is the oldest schema version whose code still runs on the result: processes of an older
 * build keep running during a rolling update, and are rejected only when they are older than that.
 */
type Migration = {
  version: number
  compatibleFrom: number
  /** Statements that each change the schema, or change rows in a way that must happen only once. */
  up(build: Knex, types: ColumnTypes): readonly Knex.Sql[]
  /** Fills new columns of existing rows with what SQL cannot compute. */
  fill?(tx: Transaction): Promise<void>
}

const migrations: readonly Migration[] = [
  { version: 1, compatibleFrom: 1, up: first },
  { version: 2, compatibleFrom: 1, up: accounts, fill: fillTokenKeys },
  { version: 3, compatibleFrom: 1, up: identityTokens },
  { version: 4, compatibleFrom: 4, up: indexBuilds },
  // Older code does not write the new keys.
  { version: 5, compatibleFrom: 5, up: identities, fill: fillIdentityKeys },
  { version: 6, compatibleFrom: 5, up: idempotencyKeys },
  // Older code does not write the new columns, and writes one that is dropped.
  { version: 7, compatibleFrom: 7, up: indexEntries, fill: fillIndexEntries },
  { version: 8, compatibleFrom: 7, up: dropNumberValues },
  { version: 9, compatibleFrom: 7, up: oldSecrets },
]
const codeVersion = migrations.at(-1)?.version ?? 0

/** A service cannot run on this database; the message says why and what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

type SchemaState = { version: number; compatibleFrom: number; codeVersion: number }

/** The version of the database's schema; 0 is an empty database. */
export async function schemaState(db: Queries): Promise<SchemaState> {
  const version = Number((await findSetting(db, 'version')) ?? 0)
  const compatibleFrom = Number((await findSetting(db, 'compatibleFrom')) ?? 0)
  return { version, compatibleFrom, codeVersion }
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

/**
 * Brings the schema up to this code's version. One process at a time migrates; a later one finds nothing left to do, or
 * finishes what a process that died left undone.
 * @throws SchemaError when the database is newer than this code can run on, or a step fails: it says what is left of the step
 */
export function migrate(db: Database): Promise<{ from: number; to: number }> {
  return db.withMigrationLock(async (alone) => {
    await createSettings(alone)
    await assertNoUnfinishedCopy(alone)
    const state = await schemaState(alone)
    assertNotTooNew(state)
    for (const migration of migrations) {
      if (migration.version > state.version) await apply(alone, migration).catch(failedAt(migration, alone))
    }
    return { from: state.version, to: Math.max(state.version, codeVersion) }
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
  return (await schemaState(db)).compatibleFrom <= codeVersion
}

/** Creates no table, so that reading the state needs no right to create one. */
function stateOrEmpty(db: Database): Promise<SchemaState> {
  return schemaState(db).catch((error) => {
    if (isMissingTable(error)) return { version: 0, compatibleFrom: 0, codeVersion }
    throw error
  })
}

/** @throws SchemaError when a newer listd has migrated the database to a schema that this code cannot run on */
export function assertNotTooNew({ compatibleFrom }: Pick<SchemaState, 'compatibleFrom'>): void {
  if (compatibleFrom <= codeVersion) return
  throw new SchemaError(
    `The database was migrated by a newer listd and runs only with schema version ${compatibleFrom} or later; ` +
      `this listd knows ${codeVersion}. Start the newer listd, or restore a backup made before the upgrade.`,
  )
}

/** Else a service would go on with a part of the data. */
async function assertNoUnfinishedCopy(db: Queries): Promise<void> {
  if ((await findSetting(db, 'unfinishedCopy')) === null) return
  throw new SchemaError(
    'Another database was being copied into this one, and the copy was not finished. ' +
      'Repeat "listd db copy" with --restart, or use another database.',
  )
}

function failedAt({ version }: Migration, { dialect }: MigrationQueries): (error: unknown) => never {
  const left = dialect.transactionalSchema
    ? `Nothing of it is left: the schema is at version ${version - 1}.`
    : 'The next run goes on behind the last of its statements that succeeded.'
  return (error) => {
    const reason = describeError(error).replace(/\.$/, '')
    const sentence = `Step ${version} of the upgrade of the database schema failed: ${reason}. ${left}`
    throw new SchemaError(`${sentence} Remove the cause, then run "listd migrate" again.`, { cause: error })
  }
}

/** In one transaction where schema changes are transactional; otherwise statement by statement. */
async function apply(alone: MigrationQueries, migration: Migration): Promise<void> {
  const statements = migration.up(alone.build, alone.dialect.types)
  if (!alone.dialect.transactionalSchema) await applyStepwise(alone, statements)
  await alone.transaction(async (tx) => {
    if ((await schemaState(tx)).version >= migration.version) return
    if (alone.dialect.transactionalSchema) for (const { sql, bindings } of statements) await tx.run(sql, bindings)
    await migration.fill?.(tx)
    await putSetting(tx, 'version', String(migration.version))
    await putSetting(tx, 'compatibleFrom', String(migration.compatibleFrom))
    await putSetting(tx, 'migrationStep', '0')
  })
}

/**
 * Records after each statement how far the migration got, so that another process continues after one that was killed. A
 * schema change commits before its record does: if the process dies in between, the statement is tried again and fails as
 * already done.
 */
async function applyStepwise(alone: MigrationQueries, statements: readonly Knex.Sql[]): Promise<void> {
  const done = Number((await findSetting(alone, 'migrationStep')) ?? 0)
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
