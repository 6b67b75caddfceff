import test from 'ava'
import knex from 'knex'
import { openConnection } from '#shared/data/drivers/sqlite/connection.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('a snapshot that SQLite has rolled back fails with the first error, and its connection is returned', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 8; n++) {
    const work = db.withSnapshot(async (snapshot) => {
      await snapshot.run('rollback')
      throw new Error('the first error')
    })
    await t.throwsAsync(work, { message: 'the first error' })
  }
})

test('a connection whose settings cannot be applied is returned', async (t) => {
  const one = { client: 'sqlite3', connection: ':memory:', useNullAsDefault: true, pool: { min: 0, max: 1 } }
  const build = knex(one)
  t.teardown(() => build.destroy())
  const open = (pragma: string) => openConnection(build, { pragmas: [pragma], preparedText: 1_024 })
  await t.throwsAsync(open('busy_timeout=('), { code: 'SQLITE_ERROR' })
  const connection = await open('busy_timeout=1')
  t.deepEqual(await connection.get('select 1 as one'), { one: 1 })
  await connection.release()
})
