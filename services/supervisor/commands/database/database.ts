import { existsSync } from 'node:fs'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { type Account, listAccounts } from '#shared/data/accounts/accounts.ts'
import { createDataDirectory } from '#shared/data/data-directory-lock.ts'
import type { Database } from '#shared/data/database.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { checkSchema } from '#shared/data/migrate.ts'
import { type DatabaseOptions, openDatabase } from '#shared/data/open-database.ts'
import { maxRows } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'

export type CommandContext = { terminal: Terminal; config: Config; db: Database }

type Work = (context: CommandContext) => Promise<void>

/**
 * Opens the configured database for one command, whether or not listd is running, and closes it afterwards.
 * @param options.statementMs how long a statement may run, in milliseconds
 * @param options.pool the most connections to a server
 */
export async function withDatabase(
  terminal: Terminal,
  work: Work,
  options: Pick<DatabaseOptions, 'statementMs' | 'pool'> = {},
): Promise<void> {
  const config = loadConfig({ env: terminal.env })
  await createDataDirectory(config.dataDir)
  const db = await openDatabase({ ...config.database, dataDir: config.dataDir, readers: 1, ...options })
  try {
    await work({ terminal, config, db })
  } finally {
    await db.close()
  }
}

/**
 * The same for commands that need a compatible schema. It never creates a missing database: the caller may have forgotten to name the
 * data directory of their listd.
 * @throws Error with a sentence if there is no database, SchemaError with one if its schema is not compatible
 */
export async function withSchema(
  terminal: Terminal,
  work: Work,
  options?: Parameters<typeof withDatabase>[2],
): Promise<void> {
  const { database, dataDir } = loadConfig({ env: terminal.env })
  const file = databaseFile({ url: database.url, dataDir })
  if (file !== null && !existsSync(file))
    throw new Error(`there is no database: ${file} does not exist. ${whereToLook}`)
  const checked: Work = async (context) => {
    await checkSchema(context.db)
    await work(context)
  }
  await withDatabase(terminal, checked, options)
}

const whereToLook =
  'Run the command with the settings of your listd, especially LISTD_DATA_DIR; "listd start" or "listd migrate" creates a new database.'

/**
 * The account that a command is about: the named one, or the only one.
 * @param named name or id
 * @throws Error with a sentence when there is no such account, or when there are several and none is named
 */
export async function chooseAccount(db: Database, named: string | undefined): Promise<Account> {
  const found = await listAccounts(db, { ...(named !== undefined && { named }), limit: 10 })
  const [account] = found
  if (account && found.length === 1) return account
  if (account) throw new Error(`there are several accounts: ${namesOf(found)}. Choose one with --account.`)
  if (named !== undefined)
    throw new Error(`there is no account "${named}". "listd account create --name NAME" creates one.`)
  throw new Error('there is no account yet. "listd account create --name NAME" creates one.')
}

/** The names of accounts by id, for tables that people read. */
export async function accountNames(db: Database): Promise<ReadonlyMap<string, string>> {
  const accounts = await listAccounts(db, { limit: maxRows })
  return new Map(accounts.map(({ id, name }) => [id, name]))
}

function namesOf(accounts: readonly Account[]): string {
  return accounts.map(({ name, id }) => `${name} (${id})`).join(', ')
}
