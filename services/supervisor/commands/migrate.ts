import { createSetupToken } from '#shared/data/accounts/setup-tokens.ts'
import { migrate, schemaStatus } from '#shared/data/migrate.ts'
import { databaseFile } from '#shared/data/open-database.ts'
import { tellSupervisor } from '#shared/lifecycle/messages.ts'
import { backUpBeforeMigration, keepOnly } from '../backup-before-migration.ts'
import type { Terminal } from '../terminal.ts'
import { type CommandContext, withDatabase } from './database.ts'

type MigrateOptions = { setupLink?: true; backup: boolean }

/**
 * `listd migrate`: upgrades the schema to this version and creates the configured first user if there is none. Several may
 * run at the same time. A SQLite database is backed up before, beside itself.
 * @param options.backup false: it is not, for want of room
 * @param options.setupLink while there is no user, also creates the set-up token of this start and sends it to the supervisor
 */
export async function migrateDatabase(terminal: Terminal, options: MigrateOptions): Promise<void> {
  let setupToken: string | null = null
  await withDatabase(terminal, async (context) => {
    const { config, db } = context
    const kept = options.backup ? await backUp(context) : null
    const { from, to } = await migrate(db)
    if (kept !== null) await keepOnly(kept)
    if (config.admin.email !== '') await (await import('./first-user.ts')).makeConfiguredUser({ config, db })
    // When run by hand no one would see the token, and the one that was printed before would become invalid.
    if (options.setupLink && terminal.connected) setupToken = await db.transaction(createSetupToken)
    if (!terminal.connected) terminal.stderr.write(from === to ? messages.unchanged(to) : messages.upgraded(from, to))
  })
  if (terminal.connected)
    await tellSupervisor({ ready: true, address: null, ...(setupToken !== null && { setupToken }) })
}

/** @returns the path of the backup; null when there is nothing to upgrade, or the database is on a server */
async function backUp({ terminal, config: { database, dataDir }, db }: CommandContext): Promise<string | null> {
  const file = databaseFile({ url: database.url, dataDir })
  const { version, state } = await schemaStatus(db)
  if (file === null || version === 0 || state !== 'too-old') return null
  const backup = await backUpBeforeMigration(file, version)
  if (backup !== null) terminal.stderr.write(messages.backedUp(backup))
  return backup
}

const messages = {
  backedUp: (file: string) => `Backed up the database to ${file} before upgrading it.\n`,
  unchanged: (version: number) => `The database schema is already at version ${version}.\n`,
  upgraded: (from: number, to: number) => `Upgraded the database schema from version ${from} to ${to}.\n`,
}
