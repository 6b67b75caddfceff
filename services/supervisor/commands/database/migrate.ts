import { databaseFile } from '#shared/data/database-file.ts'
import { migrate, pendingUpgrade, type SchemaUpgrade } from '#shared/data/migrate.ts'
import type { MoveProgress } from '#shared/data/migrations/apply-migration.ts'
import { SchemaError } from '#shared/data/schema-error.ts'
import { createSetupToken } from '#shared/data/users/setup-tokens.ts'
import { notifySupervisor } from '#shared/lifecycle/messages.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { backUpBeforeMigration, keepOnly } from './backup-before-migration.ts'
import { type CommandContext, withDatabase } from './database.ts'
import { describeRunningServices } from './running-services.ts'

type MigrateOptions = { setupLink?: true; backup: boolean }

/**
 * `listd migrate`: upgrades the schema to this version and creates the configured first user if there is none. Several may
 * run at the same time. A SQLite database is first backed up to a file next to it.
 * @param options.backup false: it is not backed up, for example because there is no room
 * @param options.setupLink while there is no user, also creates the set-up token of this start and sends it to the supervisor
 */
export async function migrateDatabase(terminal: Terminal, options: MigrateOptions): Promise<void> {
  let setupToken: string | null = null
  await withDatabase(terminal, async (context) => {
    const { config, db } = context
    const upgrade = await pendingUpgrade(db)
    if (upgrade !== null)
      terminal.stderr.write(await describeRunningServices({ config, db, upgrade }, { starting: terminal.connected }))
    const kept = options.backup && upgrade !== null ? await backUp(context, upgrade) : null
    const { from, to } = await migrate(db, { onProgress: reportProgress(terminal) }).catch(failed(kept))
    if (kept !== null) await keepOnly(kept)
    if (config.admin.email !== '') await (await import('./first-user.ts')).createConfiguredUser({ config, db })
    // When run by hand, the token would not be shown, and the previously printed one would become invalid.
    if (options.setupLink && terminal.connected) setupToken = await db.transaction(createSetupToken)
    if (!terminal.connected) terminal.stderr.write(from === to ? messages.unchanged(to) : messages.upgraded(from, to))
  })
  if (terminal.connected)
    await notifySupervisor({ ready: true, address: null, ...(setupToken !== null && { setupToken }) })
}

/** @returns the path of the backup; null when the database is on a server */
async function backUp(
  { terminal, config: { database, dataDir } }: CommandContext,
  upgrade: SchemaUpgrade,
): Promise<string | null> {
  const file = databaseFile({ url: database.url, dataDir })
  if (file === null) return null
  const backup = await backUpBeforeMigration(file, upgrade)
  if (backup !== null) terminal.stderr.write(messages.backedUp(backup))
  return backup
}

/** Prints a line every few seconds while rows are moved. */
function reportProgress({ stderr }: Terminal): (progress: MoveProgress) => void {
  let printedAt = performance.now()
  return ({ version, rows }) => {
    if (performance.now() - printedAt < progressEveryMs) return
    printedAt = performance.now()
    stderr.write(messages.moving(version, rows))
  }
}

const progressEveryMs = 5_000

/** Adds to the message of an error how to restore the backup. */
function failed(backup: string | null): (error: Error) => never {
  return (error) => {
    if (backup === null || !(error instanceof SchemaError)) throw error
    throw new SchemaError(`${error.message} ${messages.back(backup)}`, error.exitCode)
  }
}

const messages = {
  backedUp: (file: string) => `The database as it was before this upgrade is in ${file}.\n`,
  moving: (version: number, rows: number) => `Step ${version} of the database schema has moved ${rows} rows so far.\n`,
  back: (file: string) =>
    `Or go back: stop listd, run "listd restore --replace ${file}", and start the version of listd that you had.`,
  unchanged: (version: number) => `The database schema is already at version ${version}.\n`,
  upgraded: (from: number, to: number) => `Upgraded the database schema from version ${from} to ${to}.\n`,
}
