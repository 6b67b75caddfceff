import { createSetupToken } from '#shared/data/accounts/setup-tokens.ts'
import { migrate } from '#shared/data/migrate.ts'
import { tellSupervisor } from '#shared/lifecycle/messages.ts'
import type { Terminal } from '../terminal.ts'
import { withDatabase } from './database.ts'

/**
 * `listd migrate`: brings the schema up to this version, and makes the configured first user where there is none; may run
 * beside others that do the same.
 * @param options.setupLink also makes the set-up token of this start and tells the supervisor, while there is no user
 */
export async function migrateDatabase(terminal: Terminal, options: { setupLink?: true }): Promise<void> {
  let setupToken: string | null = null
  await withDatabase(terminal, async ({ config, db }) => {
    const { from, to } = await migrate(db)
    if (config.admin.email !== '') await (await import('./first-user.ts')).makeConfiguredUser({ config, db })
    // By hand nobody would see the token, and the one that was printed would end.
    if (options.setupLink && terminal.connected) setupToken = await db.transaction(createSetupToken)
    if (!terminal.connected) terminal.stderr.write(from === to ? said.before(to) : said.now(from, to))
  })
  if (terminal.connected)
    await tellSupervisor({ ready: true, address: null, ...(setupToken !== null && { setupToken }) })
}

const said = {
  before: (version: number) => `The database schema is at version ${version} already.\n`,
  now: (from: number, to: number) => `The database schema went from version ${from} to ${to}.\n`,
}
