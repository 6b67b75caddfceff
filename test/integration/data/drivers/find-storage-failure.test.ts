import test from 'ava'
import { databaseWrites } from '#services/supervisor/doctor/database/database-health.ts'
import { loadConfig } from '#shared/config/load.ts'
import type { Database } from '#shared/data/database.ts'
import { findStorageFailure } from '#shared/data/find-storage-failure.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { fillDisk, makeRoom } from '../../../support/databases/full-disk.ts'
import { settingsOf } from '../../../support/processes/command-line.ts'

const write = (db: Database) => putSetting(db, 'trial', 'x'.repeat(20_000))

test('a write to a full disk is SERVICE_UNAVAILABLE, and succeeds when there is room', async (t) => {
  const { db } = await testDatabase(t)
  t.is(await findStorageFailure(db), null)
  await fillDisk(db)
  const error = await t.throwsAsync(write(db), { name: 'SERVICE_UNAVAILABLE', message: /disk of the database is full/ })
  t.like(error, { retryAfterSeconds: 10 })
  t.is(await findStorageFailure(db), 'disk full')
  t.truthy(await db.get('select name from settings'), 'reads succeed')

  await makeRoom(db)
  t.is(await findStorageFailure(db), null)
  await write(db)
})

test('the work of a transaction that a full disk ended has left nothing', async (t) => {
  const { db } = await testDatabase(t)
  await fillDisk(db)
  const work = db.transaction(async (tx) => {
    await tx.run("update accounts set name = 'x'")
    await putSetting(tx, 'trial', 'x'.repeat(20_000))
  })
  await t.throwsAsync(work, { name: 'SERVICE_UNAVAILABLE' })
  await makeRoom(db)
  await makeList(db)
})

test('the doctor tests with a write whether data can be stored, and leaves nothing of it', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const context = { config: loadConfig({ env: settingsOf(dataDir), cwd: dataDir }), running: false, files: [] }
  t.like(await databaseWrites.run(context), { state: 'ok', message: 'data can be stored' })
  t.is(await db.get("select name from settings where name = 'trial'"), undefined)
})
