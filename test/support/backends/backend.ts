import sqlite from 'sqlite3'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { makeSqliteTemplate } from '../databases/sqlite-template.ts'
import type { BackendName } from '../runner/test-files.ts'
import { findServer, type Source } from './find-server.ts'
import { databasesOf, newTemplateUrl } from './test-databases.ts'

/** A database that tests can run on now. */
export type Backend = {
  version: string
  from: string
  /** With these settings test processes find the migrated template. */
  settings: Record<string, string>
  /** Removes what tests created, and ends what was started. */
  stop(): Promise<void>
}

/** Finds or starts a database and migrates a template on it. @returns null when no database is available */
export async function openBackend(name: BackendName, source: Source): Promise<Backend | null> {
  if (name === 'sqlite') {
    const settings = { TEST_DATABASE_URL: '', TEST_SQLITE_TEMPLATE: await makeSqliteTemplate() }
    return { version: `SQLite ${sqlite.VERSION}`, from: 'built in', settings, stop: async () => {} }
  }
  const server = await findServer(name, source)
  if (server === null) return null
  const templateUrl = newTemplateUrl(server.url)
  const databases = databasesOf(templateUrl)
  const stop = async () => {
    await databases.removeAll().catch(() => {}) // the databases of an ended server no longer exist
    await server.stop()
  }
  try {
    await databases.createTemplate(migrateUrl)
  } catch (error) {
    await stop()
    throw error
  }
  // A listd that a test starts without naming its database fails, instead of running on SQLite unnoticed.
  const settings = { TEST_DATABASE_URL: templateUrl, LISTD_DATABASE_URL: `${templateUrl}_of_no_test` }
  return { version: server.version, from: server.from, settings, stop }
}

async function migrateUrl(url: string): Promise<void> {
  const db = await openDatabase({ url, dataDir: '' })
  try {
    await migrate(db)
  } finally {
    await db.close()
  }
}
