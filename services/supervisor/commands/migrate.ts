import { migrate } from '#shared/data/migrate.ts'
import { tellSupervisor } from '#shared/lifecycle/messages.ts'
import { withDatabase } from './database.ts'

/**
 * `listd migrate`: brings the schema up to this version, and makes the configured first user where there is none; may run
 * beside others that do the same.
 */
export async function migrateDatabase(): Promise<void> {
  await withDatabase(async ({ config, db }) => {
    const { from, to } = await migrate(db)
    if (config.admin.email !== '') await (await import('./first-user.ts')).createFirstUser({ config, db })
    if (!process.connected) process.stderr.write(from === to ? said.before(to) : said.now(from, to))
  })
  await tellSupervisor({ ready: true, address: null })
}

const said = {
  before: (version: number) => `The database schema is at version ${version} already.\n`,
  now: (from: number, to: number) => `The database schema went from version ${from} to ${to}.\n`,
}
