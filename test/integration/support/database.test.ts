import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { migrate, schemaState } from '#shared/data/migrate.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import {
  anotherConnection,
  emptyDirectory,
  openTestDatabase,
  testBackend,
  testDatabase,
} from '../../support/databases/database.ts'
import { tablesOf } from '../../support/databases/schemas/tables.ts'
import { collectTeardowns } from '../../support/test-context/teardown.ts'

/** The rows of every table, by its name; without the installation id, which always differs. */
async function allRows(db: Database, tables: readonly string[]): Promise<Record<string, unknown>> {
  const rowsOf = async (table: string) =>
    (await db.all(`select * from ${table}`)).map((row) => (row.name === 'installationId' ? { name: row.name } : row))
  const rows = await Promise.all(tables.map(async (table) => [table, await rowsOf(table)]))
  return Object.fromEntries(rows)
}

/** Uses a test database and releases it, as a test does. */
async function visit<T>(work: (db: Database, dataDir: string) => Promise<T>): Promise<T> {
  const t = collectTeardowns()
  try {
    const { db, dataDir } = await testDatabase(t)
    return await work(db, dataDir)
  } finally {
    await t.run()
  }
}

test.serial('whatever tests do to theirs, the next test finds its database as after migrating', async (t) => {
  const before = await visit(async (db) => allRows(db, await tablesOf(db)))
  t.deepEqual(Object.keys(before).filter((table) => table === 'settings' || table === 'items').length, 2)
  const changes = [
    'create table extra (id integer)',
    'drop table items',
    'create index extra on items (revision)',
    "insert into leases (name, lease_until, fence) values ('x', 1, 1)",
    'delete from settings',
  ]
  for (const change of changes) {
    await visit((db) => db.run(change))
    t.deepEqual(await visit(async (db) => allRows(db, await tablesOf(db))), before, change)
  }
})

// With SQLite, no test reuses the file of another one.
if (testBackend !== 'sqlite') {
  test.serial('a transaction that is left open ends before the next test gets the database', async (t) => {
    const before = await visit(async (db) => allRows(db, ['settings']))
    const left = await visit((_, dataDir) => leaveOpen(dataDir))
    const after = await visit(async (db) => {
      await putSetting(db, 'version', '1000') // does not wait for a lock
      return schemaState(db)
    })
    t.is(after.version, 1_000)
    t.deepEqual(await visit(async (db) => allRows(db, ['settings'])), before)
    await left.end()
  })

  test.serial('a database is acquired while the statement of another test has a character of four bytes', async (t) => {
    const { db, dataDir } = await testDatabase(t)
    const rows = await db.all('select 1 from settings') // this also opens the connection, so that the next statement is sent at once
    const left = await leaveOpen(dataDir)
    const waiting = db.run("update settings set value = '🥤'")
    t.deepEqual(await visit(async (other) => allRows(other, ['outbox'])), { outbox: [] })
    await left.end()
    t.is(await waiting, rows.length)
  })
}

/** Begins a transaction that locks a row. @returns a function that ends it, whether it then commits or fails */
async function leaveOpen(dataDir: string): Promise<{ end(): Promise<void> }> {
  const db = await openTestDatabase(dataDir)
  const { promise: ending, resolve: end } = Promise.withResolvers<void>()
  const { promise: holding, resolve: hold } = Promise.withResolvers<void>()
  const transaction = db.transaction(async (tx) => {
    await tx.run("update settings set value = 'left'")
    hold()
    await ending
  })
  await holding
  return {
    async end() {
      end()
      await transaction.catch(() => {})
      await db.close()
    },
  }
}

test('concurrent tests have separate databases, and a second connection sees the same one', async (t) => {
  const [a, b] = await Promise.all([testDatabase(t), testDatabase(t)])
  await putSetting(a.db, 'version', '1000')
  const again = await anotherConnection(t, a.dataDir)
  t.is((await schemaState(again)).version, 1_000)
  t.not((await schemaState(b.db)).version, 1_000)
})

test('a process that opens an empty database migrates it', async (t) => {
  const db = await anotherConnection(t, await emptyDirectory(t))
  t.deepEqual(await tablesOf(db), [])
  const { from, to } = await migrate(db)
  t.deepEqual([from, (await schemaState(db)).version], [0, to])
})
