import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { copyDatabase } from '#shared/data/copy/copy-database.ts'
import { listTables } from '#shared/data/copy/tables.ts'
import type { Database } from '#shared/data/database.ts'
import { checkSchema, migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { findSetting, putSetting } from '#shared/data/settings/settings.ts'
import { exampleRows, insertExamples } from '../../../support/databases/contents/example-rows.ts'
import { anotherConnection, emptyDirectory, testDatabase } from '../../../support/databases/database.ts'
import { tablesOf } from '../../../support/databases/schemas/tables.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

const idle = () => {}
const once = { restart: false, onProgress: idle }

/** An empty SQLite database in a file. */
async function sqliteFile(t: ExecutionContext): Promise<Database> {
  const db = await openDatabase({ url: `sqlite:${join(await testFolder(t), 'file.db')}`, dataDir: '' })
  t.teardown(() => db.close())
  return db
}

/** A migrated SQLite database with rows in every table. */
async function filledFile(t: ExecutionContext): Promise<Database> {
  const db = await sqliteFile(t)
  await migrate(db)
  for (const table of await listTables()) await insertExamples(db, table, exampleRows(table, 3))
  await putSetting(db, 'secretsCheck', 'v1.0a1b2c3d.x')
  await putSetting(db, 'oldKeys', '4e5f6a7b')
  return db
}

/** An empty database of the kind that tests run on. */
async function emptyTarget(t: ExecutionContext): Promise<Database> {
  return anotherConnection(t, await emptyDirectory(t))
}

/** The rows of every table except the settings, in the order of the keys, read by a plain select. */
async function contentsOf(db: Database): Promise<Record<string, unknown[]>> {
  const contents: Record<string, unknown[]> = {}
  for (const { name, key } of await listTables()) {
    const rows = await db.all(db.build(name).orderBy([...key]))
    contents[name] = rows.map((row) => ({ ...row }))
  }
  return contents
}

test('every table but the settings is copied, and has a key', async (t) => {
  const { db } = await testDatabase(t)
  const tables = await listTables()
  t.deepEqual(
    tables.map(({ name }) => name),
    (await tablesOf(db)).filter((name) => name !== 'settings').toSorted(),
  )
  t.deepEqual(
    tables.filter(({ key }) => key.length === 0),
    [],
  )
})

test('copying there and back keeps every value of every table', async (t) => {
  const source = await filledFile(t)
  const target = await emptyTarget(t)
  const there = await copyDatabase({ source, target, ...once })
  const again = await sqliteFile(t)
  t.deepEqual(await copyDatabase({ source: target, target: again, ...once }), there)
  const expected = await contentsOf(source)
  t.deepEqual(await contentsOf(target), expected)
  t.deepEqual(await contentsOf(again), expected)
  t.is(await findSetting(again, 'secretsCheck'), 'v1.0a1b2c3d.x')
  t.is(await findSetting(again, 'oldKeys'), '4e5f6a7b')
  t.is(await findSetting(again, 'installationId'), await findSetting(source, 'installationId'))
  t.deepEqual(
    there.map(({ table, rows }) => [table, rows]),
    Object.entries(expected).map(([table, rows]) => [table, rows.length]),
  )
  await t.notThrowsAsync(checkSchema(target))
})

test('tables with many and with long rows are copied in batches, each row once', async (t) => {
  const source = await sqliteFile(t)
  await migrate(source)
  const tags = await tableNamed('item_tags')
  const payloads = await tableNamed('event_payloads')
  await insertExamples(source, tags, exampleRows(tags, 2_100))
  const long = exampleRows(payloads, 7).map((row) => ({ ...row, body: '"ü"'.repeat(500_000) }))
  await insertExamples(source, payloads, long)
  const target = await emptyTarget(t)
  const batches: string[] = []
  const onProgress = ({ table, rows, of }: { table: string; rows: number; of: number }) => {
    batches.push(`${table} ${rows}/${of}`)
  }
  await copyDatabase({ source, target, restart: false, onProgress })
  t.deepEqual(batches, [
    'event_payloads 2/7',
    'event_payloads 4/7',
    'event_payloads 6/7',
    'event_payloads 7/7',
    'item_tags 1000/2100',
    'item_tags 2000/2100',
    'item_tags 2100/2100',
  ])
  t.deepEqual(await contentsOf(target), await contentsOf(source))
})

test('a copy is one state of the source, whatever is written to it at the same time', async (t) => {
  const source = await emptyTarget(t)
  await copyDatabase({ source: await filledFile(t), target: source, ...once })
  const before = await contentsOf(source)
  const target = await sqliteFile(t)
  const onProgress = async () => void (await source.run('delete from webhooks'))
  await copyDatabase({ source, target, restart: false, onProgress })
  t.deepEqual(await contentsOf(target), before)
  t.deepEqual((await contentsOf(source)).webhooks, [])
})

test('a target that is not empty is rejected and stays unchanged', async (t) => {
  const source = await filledFile(t)
  const target = await emptyTarget(t)
  await migrate(target)
  const table = await tableNamed('leases')
  await insertExamples(target, table, exampleRows(table, 1))
  for (const restart of [false, true]) {
    await t.throwsAsync(copyDatabase({ source, target, restart, onProgress: idle }), {
      message: /not empty: .* leases\./,
    })
  }
  t.is((await target.all('select * from leases')).length, 1)
  await t.notThrowsAsync(checkSchema(target))
})

test('no listd starts on an interrupted copy, and it starts over on request', async (t) => {
  const source = await filledFile(t)
  const target = await emptyTarget(t)
  const interrupt = ({ table }: { table: string }) => {
    if (table === 'items') throw new Error('pulled the plug')
  }
  await t.throwsAsync(copyDatabase({ source, target, restart: false, onProgress: interrupt }), { message: /plug/ })
  for (const start of [checkSchema, migrate]) {
    await t.throwsAsync(start(target), { message: /was not finished\. Repeat "listd db copy" with --restart/ })
  }
  await t.throwsAsync(copyDatabase({ source, target, ...once }), { message: /not finished\. --restart starts over/ })
  await copyDatabase({ source, target, restart: true, onProgress: idle })
  t.deepEqual(await contentsOf(target), await contentsOf(source))
  await t.notThrowsAsync(migrate(target))
})

test('a copy that differs in one value is reported with its table, and stays unfinished', async (t) => {
  const source = await filledFile(t)
  const target = await emptyTarget(t)
  const alter = async ({ table }: { table: string }) => {
    if (table === 'items')
      await target.run(
        "update items set description = 'x' where id = (select min(id) from (select id from items) as i)",
      )
  }
  await t.throwsAsync(copyDatabase({ source, target, restart: false, onProgress: alter }), {
    message: /^the copy of the table items differs/,
  })
  await t.throwsAsync(checkSchema(target), { message: /was not finished/ })
})

test('a source of another schema version is rejected', async (t) => {
  const source = await filledFile(t)
  await putSetting(source, 'version', '1000')
  await t.throwsAsync(copyDatabase({ source, target: await emptyTarget(t), ...once }), {
    message: /at version 1000, and this listd copies version \d+ only/,
  })
})

async function tableNamed(name: string) {
  const table = (await listTables()).find((one) => one.name === name)
  if (!table) throw new Error(`there is no table ${name}`)
  return table
}
