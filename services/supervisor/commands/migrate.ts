import { createSetupToken } from '#shared/data/accounts/setup-tokens.ts'
import { migrate } from '#shared/data/migrate.ts'
import { tellSupervisor } from '#shared/lifecycle/messages.ts'
import type { Terminal } from '../terminal.ts'
import { withDatabase } from './database.ts'

/**
 * `listd migrate`: upgrades the schema to this version and creates the configured first user if there is none. Several may
 * run at the same time.
 * @param options.setupLink while there is no user, also creates the set-up token of this start and sends it to the supervisor
 */
export async function migrateDatabase(terminal: Terminal, options: { setupLink?: true }): Promise<void> {
  let setupToken: string | null = null
  await withDatabase(terminal, async ({ config, db }) => {
    const { from, to } = await migrate(db)
    if (config.admin.email !== '') await (await import('./first-user.ts')).makeConfiguredUser({ config, db })
    // When run by hand no one would see the token, and the one that was printed before would become invalid.
    if (options.setupLink && terminal.connected) setupToken = await db.transaction(createSetupToken)
    if (!terminal.connected) terminal.stderr.write(from === to ? messages.unchanged(to) : messages.upgraded(from, to))
  })
  if (terminal.connected)
    await tellSupervisor({ ready: true, address: null, ...(setupToken !== null && { setupToken }) })
}

const messages = {
  unchanged: (version: number) => `The database schema is already at version ${version}.\n`,
  upgraded: (from: number, to: number) => `Upgraded the database schema from version ${from} to ${to}.\n`,
}
