import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { ExecutionContext } from 'ava'
import { type Database, openDatabase } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'

/** A real, migrated database of its own for one test; closed and removed when the test ends. */
export async function testDatabase(t: ExecutionContext): Promise<{ db: Database; dataDir: string }> {
  const dataDir = await mkdtemp(`${tmpdir()}/listd-test-`)
  const db = await openDatabase({ url: '', dataDir })
  t.teardown(async () => {
    await db.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  await migrate(db)
  return { db, dataDir }
}

/** A second process's view of the same database: connections of its own. */
export async function anotherConnection(t: ExecutionContext, dataDir: string): Promise<Database> {
  const db = await openDatabase({ url: '', dataDir })
  t.teardown(() => db.close())
  return db
}
