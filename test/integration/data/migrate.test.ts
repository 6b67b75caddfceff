import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { createToken } from '#shared/data/accounts/tokens.ts'
import type { Database } from '#shared/data/database.ts'
import { checkSchema, migrate, schemaState } from '#shared/data/migrate.ts'
import { fillTokenKeys } from '#shared/data/migrations/002-accounts.ts'
import { findSetting, putSetting } from '#shared/data/settings.ts'
import { matchesFixture } from '../../support/assertions/fixture.ts'
import { anotherConnection, databaseSettings, emptyDirectory, testBackend } from '../../support/databases/database.ts'
import { dumpSchema } from '../../support/databases/schema-dump.ts'
import { testProcess } from '../../support/processes/process.ts'

const fixtures = join(import.meta.dirname, '../../fixtures')

async function emptyDatabases(t: ExecutionContext, count: number): Promise<Database[]> {
  const dataDir = await emptyDirectory(t)
  return Promise.all(Array.from({ length: count }, () => anotherConnection(t, dataDir)))
}

async function one(t: ExecutionContext): Promise<Database> {
  const [db] = await emptyDatabases(t, 1)
  if (!db) throw new Error('no database')
  return db
}

test('the schema is the one that is committed', async (t) => {
  const db = await one(t)
  await migrate(db)
  await matchesFixture(t, `schema/${testBackend}.txt`, await dumpSchema(db))
})

test('an empty database is rejected with the command that sets it up', async (t) => {
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

test('a database whose compatibleFrom is newer is rejected with a sentence that says what to do', async (t) => {
  const db = await one(t)
  await migrate(db)
  await putSetting(db, 'version', '1000')
  await putSetting(db, 'compatibleFrom', '999')
  for (const run of [checkSchema, migrate]) {
    const error = await t.throwsAsync(run(db))
    t.regex(error?.message ?? '', /newer listd.*999.*Start the newer listd/)
  }
})

test('a newer schema that this code still runs on is accepted and left alone', async (t) => {
  const db = await one(t)
  await migrate(db)
  const { compatibleFrom } = await schemaState(db)
  await putSetting(db, 'version', '1000')
  await t.notThrowsAsync(checkSchema(db))
  await migrate(db)
  t.like(await schemaState(db), { version: 1000, compatibleFrom })
  t.is(await findSetting(db, 'version'), '1000')
})

test('a migration killed at any moment is gone on with by the next one', async (t) => {
  const dataDir = await emptyDirectory(t)
  // On a quick machine the earlier of these moments are in the middle of it, on a slow one the later ones.
  for (let ms = 1; ms < 1_000; ms *= 2) {
    const { printed, child, ended } = migration(t, dataDir)
    await printed(/begun/)
    await delay(ms)
    child.kill('SIGKILL')
    await ended
  }
  const db = await anotherConnection(t, dataDir)
  await migrate(db)
  await matchesFixture(t, `schema/${testBackend}.txt`, await dumpSchema(db))
  await t.notThrowsAsync(checkSchema(db))
})

test('tokens that were made before there were keys to find them by get theirs', async (t) => {
  const db = await one(t)
  await migrate(db)
  const input = { accountId: 'a', name: 'STRASSE', description: 'Ä', permissions: [], now: 1 }
  for (let n = 0; n < 201; n++) await createToken(db, { ...input, id: `t${n}` })
  await db.run('update tokens set name_key = null, description_key = null')
  await db.transaction(fillTokenKeys)
  t.deepEqual(await db.all('select distinct name_key, description_key from tokens'), [
    { name_key: 'strasse', description_key: 'ä' },
  ])
})

function migration(t: ExecutionContext, dataDir: string) {
  const { LISTD_DATABASE_URL: url = '' } = databaseSettings(dataDir)
  return testProcess(t, [process.execPath, join(fixtures, 'migrate.ts'), url, dataDir])
}
