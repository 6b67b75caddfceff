import { createMasterKey } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import { type DatabaseOptions, openDatabase } from '#shared/data/open-database.ts'
import type { TestDatabase } from '../backends/database-types.ts'
import { databasesOf } from '../backends/test-databases.ts'
import { testFolder } from '../test-context/folder.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { copySqliteTemplate } from './sqlite-template.ts'

/**
 * The database that tests run on: empty for SQLite, or the migrated template on a server (see `test/run.ts`). A test always refers to
 * its database by a data directory; on a server, each data directory has its own database.
 */
const templateUrl = process.env.TEST_DATABASE_URL ?? ''

export type TestBackend = 'sqlite' | 'postgres' | 'mysql'

/** For tests of one database only; whole files of such tests are named `*.sqlite.test.ts`. */
export const testBackend: TestBackend =
  templateUrl === '' ? 'sqlite' : templateUrl.startsWith('mysql:') ? 'mysql' : 'postgres'

/** A real, migrated database for a single test; closed and removed when the test ends. */
export async function testDatabase(t: Teardown): Promise<{ db: Database; dataDir: string }> {
  const dataDir = await migratedDirectory(t)
  return { db: await anotherConnection(t, dataDir), dataDir }
}

/** A data directory whose database is migrated and closed. */
export async function migratedDirectory(t: Teardown): Promise<string> {
  const dataDir = await testFolder(t)
  t.teardown(await takeMigrated(dataDir))
  return dataDir
}

/** A data directory whose database is empty, without tables; `openTestDatabase` opens it. */
export async function emptyDirectory(t: Teardown): Promise<string> {
  const dataDir = await testFolder(t)
  t.teardown(await takeEmpty(dataDir))
  return dataDir
}

/** Opens the same database as a second process does, with its own connections; closed when the test ends. */
export async function anotherConnection(
  t: Teardown,
  dataDir: string,
  options: Partial<DatabaseOptions> = {},
): Promise<Database> {
  const db = await openTestDatabase(dataDir, options)
  t.teardown(() => db.close())
  return db
}

/** Opens the database of a data directory; the caller closes it. */
export function openTestDatabase(dataDir: string, options: Partial<DatabaseOptions> = {}): Promise<Database> {
  return openDatabase({ url: taken.get(dataDir)?.url ?? '', dataDir, ...options })
}

/** The settings with which a process opens the database of a data directory; empty for SQLite. */
export function databaseSettings(dataDir: string): Record<string, string> {
  const database = taken.get(dataDir)
  return database ? { LISTD_DATABASE_URL: database.url, LISTD_SECRETS_MASTER_KEY: database.masterKey } : {}
}

const taken = new Map<string, TestDatabase & { masterKey: string }>()

/** Assigns a database that is not on the shared test server to a data directory. @returns a function that ends this */
export function appointDatabase(dataDir: string, url: string): () => Promise<void> {
  taken.set(dataDir, { url, masterKey: createMasterKey(), release: async () => {} })
  return async () => void taken.delete(dataDir)
}

/** Creates a migrated database for a data directory: on the server, or a file there. @returns a function that releases it */
export async function takeMigrated(dataDir: string): Promise<() => Promise<void>> {
  if (testBackend === 'sqlite') await copySqliteTemplate(dataDir)
  return takeOnServer(dataDir, (databases) => databases.takeMigrated())
}

/** The same with a database without tables, whose file does not exist yet. */
export function takeEmpty(dataDir: string): Promise<() => Promise<void>> {
  return takeOnServer(dataDir, (databases) => databases.takeEmpty())
}

type Databases = ReturnType<typeof databasesOf>

async function takeOnServer(dataDir: string, take: (databases: Databases) => Promise<TestDatabase>) {
  if (testBackend === 'sqlite' || taken.has(dataDir)) return async () => {}
  const database = await take(databasesOf(templateUrl))
  taken.set(dataDir, { ...database, masterKey: createMasterKey() })
  return async () => {
    taken.delete(dataDir)
    await database.release()
  }
}
