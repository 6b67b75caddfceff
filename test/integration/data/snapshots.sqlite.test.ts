import test from 'ava'
import { testDatabase } from '../../support/databases/database.ts'

test('a snapshot that SQLite has rolled back ends by the first error, and its connection is given back', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 8; n++) {
    const work = db.withSnapshot(async (snapshot) => {
      await snapshot.run('rollback')
      throw new Error('the first error')
    })
    await t.throwsAsync(work, { message: 'the first error' })
  }
})
