import test from 'ava'
import { readFigures } from '#shared/data/database-figures.ts'
import { createUser } from '#shared/data/users/users.ts'
import { testDatabase } from '../../support/databases/database.ts'

test('the statistics of a database are its version, its sizes, and the number of rows of each table', async (t) => {
  const { db } = await testDatabase(t)
  await createUser(db, { id: 'u', accountId: 'a', email: 'u@example.com', passwordHash: 'hash', now: 1 })
  const { server, bytes, rows } = await readFigures(db)
  t.regex(server, /\d+\.\d+/)
  t.true(Object.values(bytes).some((size) => size > 0))
  t.true(db.dialect.name === 'sqlite' || 'users' in bytes)
  t.like(rows, { users: 1, items: 0 })
})
