import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import test from 'ava'
import { type Database, openDatabase } from '#shared/data/database.ts'
import { checkSchema, migrate, schemaState } from '#shared/data/migrate.ts'
import { getSetting, putSetting } from '#shared/data/settings.ts'

async function emptyDatabases(t: import('ava').ExecutionContext, count: number): Promise<Database[]> {
  const dataDir = await mkdtemp(`${tmpdir()}/listd-test-`)
  const databases = await Promise.all(Array.from({ length: count }, () => openDatabase({ url: '', dataDir })))
  t.teardown(async () => {
    for (const db of databases) await db.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return databases
}

async function one(t: import('ava').ExecutionContext): Promise<Database> {
  const [db] = await emptyDatabases(t, 1)
  if (!db) throw new Error('no database')
  return db
}

test('an empty database is refused with the command that mends it', async (t) => {
  const db = await one(t)
  const error = await t.throwsAsync(checkSchema(db))
  t.regex(error?.message ?? '', /listd migrate/)
})

test('migrating twice changes nothing the second time', async (t) => {
  const db = await one(t)
  const { to } = await migrate(db)
  t.deepEqual(await migrate(db), { from: to, to })
  await t.notThrowsAsync(checkSchema(db))
})

test('of two processes that migrate at once each step is done once', async (t) => {
  const databases = await emptyDatabases(t, 3)
  const results = await Promise.all(databases.map(migrate))
  t.is(new Set(results.map(({ to }) => to)).size, 1)
})

test('a database whose compatibleFrom is newer is refused with a sentence that says what to do', async (t) => {
  const db = await one(t)
  await migrate(db)
  await putSetting(db, 'version', '1000')
  await putSetting(db, 'compatibleFrom', '999')
  for (const refused of [checkSchema, migrate]) {
    const error = await t.throwsAsync(refused(db))
    t.regex(error?.message ?? '', /newer listd.*999.*Start the newer listd/)
  }
})

test('a newer schema that this code still runs on is accepted and left alone', async (t) => {
  const db = await one(t)
  const { to } = await migrate(db)
  await putSetting(db, 'version', '1000')
  await t.notThrowsAsync(checkSchema(db))
  await migrate(db)
  t.like(await schemaState(db), { version: 1000, compatibleFrom: to })
  t.is(await getSetting(db, 'version'), '1000')
})
