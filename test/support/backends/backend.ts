import sqlite from 'sqlite3'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { findServer, type Source } from './find-server.ts'
import { databasesOf, newTemplateUrl } from './test-databases.ts'
import type { BackendName } from './test-files.ts'

/** A database that tests can run on now. */
export type Backend = {
  version: string
  from: string
  /** For `TEST_DATABASE_URL`. */
  templateUrl: string
  /** Removes what tests made, and ends what was started. */
  stop(): Promise<void>
}

/** Finds or starts a database and migrates a template on it. @returns null when there is none here */
export async function openBackend(name: BackendName, source: Source): Promise<Backend | null> {
  if (name === 'sqlite') {
    return { version: `SQLite ${sqlite.VERSION}`, from: 'built in', templateUrl: '', stop: async () => {} }
  }
  const server = await findServer(name, source)
  if (server === null) return null
  const templateUrl = newTemplateUrl(server.url)
  const databases = databasesOf(templateUrl)
  const stop = async () => {
    await databases.removeAll().catch(() => {}) // a server that has gone takes its databases along
    await server.stop()
  }
  try {
    await databases.createTemplate(migrateUrl)
  } catch (error) {
    await stop()
    throw error
  }
  return { version: server.version, from: server.from, templateUrl, stop }
}

async function migrateUrl(url: string): Promise<void> {
  const db = await openDatabase({ url, dataDir: '' })
  try {
    await migrate(db)
  } finally {
    await db.close()
  }
}
