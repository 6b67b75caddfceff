import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { aliasHash } from '#shared/data/items/alias-hash.ts'
import { checkSchema, migrate, schemaState } from '#shared/data/migrate.ts'
import { fillTokenKeys } from '#shared/data/migrations/002-accounts.ts'
import { addEntries, fillEntries } from '#shared/data/migrations/007-index-entries.ts'
import { alignItemTimes } from '#shared/data/migrations/023-item-times.ts'
import { findSetting, putSetting } from '#shared/data/settings/settings.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { timeOfId } from '#shared/domain/id.ts'
import { numberKey } from '#shared/domain/item/index-key.ts'
import { startExitCode, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { matchesFixture } from '../../../support/assertions/fixture.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { moveAll } from '../../../support/databases/contents/move-all.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import {
  anotherConnection,
  databaseSettings,
  emptyDirectory,
  testBackend,
} from '../../../support/databases/database.ts'
import { makeOldList, migrateToThird } from '../../../support/databases/schemas/old-schema.ts'
import { dumpSchema } from '../../../support/databases/schemas/schema-dump.ts'
import { testProcess } from '../../../support/processes/process.ts'

const program = join(import.meta.dirname, '../../../support/programs/migrate.ts')

async function emptyDatabases(t: ExecutionContext, count: number): Promise<Database[]> {
  const dataDir = await emptyDirectory(t)
  return Promise.all(Array.from({ length: count }, () => anotherConnection(t, dataDir)))
}

async function one(t: ExecutionContext): Promise<Database> {
  const [db] = await emptyDatabases(t, 1)
  if (!db) throw new Error('no database')
  return db
}

test('the schema matches the committed one', async (t) => {
  const db = await one(t)
  await migrate(db)
  await matchesFixture(t, `schema/${testBackend}.txt`, await dumpSchema(db))
})

test('an empty database is rejected with the command that sets it up', async (t) => {
  const db = await one(t)
  const error = await t.throwsAsync(checkSchema(db))
  t.is(startExitCode(error), startExitCodes.tryAgain)
  t.regex(error?.message ?? '', /listd migrate/)
})

test('migrating twice changes nothing the second time', async (t) => {
  const db = await one(t)
  const { to } = await migrate(db)
  t.deepEqual(await migrate(db), { from: to, to })
  await t.notThrowsAsync(checkSchema(db))
})

test('of two processes that migrate at once each step is executed once', async (t) => {
  const databases = await emptyDatabases(t, 3)
  const results = await Promise.all(databases.map((db) => migrate(db)))
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

test('a newer schema that this code still supports is accepted and left unchanged', async (t) => {
  const db = await one(t)
  await migrate(db)
  const { compatibleFrom } = await schemaState(db)
  await putSetting(db, 'version', '1000')
  await t.notThrowsAsync(checkSchema(db))
  await migrate(db)
  t.like(await schemaState(db), { version: 1000, compatibleFrom })
  t.is(await findSetting(db, 'version'), '1000')
})

test('the next migration continues one that was killed at any moment', async (t) => {
  const dataDir = await emptyDirectory(t)
  // On a fast machine the earlier of these kills interrupt the migration, on a slow one the later ones.
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

test('a failed step says what is left of it, and the next run continues once its cause is removed', async (t) => {
  const db = await one(t)
  await migrateToThird(db)
  // The step changes another table first, so it fails in the middle.
  await db.run('alter table identities rename to identities_aside')
  const error = await t.throwsAsync(migrate(db), { name: 'SchemaError' })
  const left =
    testBackend === 'mysql' ? 'The next run goes on behind' : 'Nothing of it is left: the schema is at version 4'
  t.regex(error?.message ?? '', new RegExp(`^Step 5 .* failed: .*identities.*${left}.*run "listd migrate" again\\.$`))
  t.like(await schemaState(db), { version: 4 })
  await db.run('alter table identities_aside rename to identities')
  t.like(await migrate(db), { from: 4 })
  await t.notThrowsAsync(checkSchema(db))
})

test('tokens from before keys for finding them existed get keys', async (t) => {
  const db = await one(t)
  await migrate(db)
  const input = { accountId: 'a', name: 'STRASSE', description: 'Ä', permissions: [], now: 1 }
  for (let n = 0; n < 201; n++) await createToken(db, { ...input, id: `t${n}` })
  await db.run('update tokens set name_key = null, description_key = null')
  t.is(await moveAll(db, fillTokenKeys, { limit: 150 }), 201)
  t.deepEqual(await db.all('select distinct name_key, description_key from tokens'), [
    { name_key: 'strasse', description_key: 'ä' },
  ])
})

test('a database of the third version keeps its index values, and every item gets an entry in each index', async (t) => {
  const db = await one(t)
  await migrateToThird(db)
  const at = await makeOldList(db)
  const ids = await storeItems(db, at, [{ slug: 'Soup', n: -1.5 }, { slug: 'pie', n: 20 }, {}])
  await db.run('update items set activated = 0, readonly = 1 where id = ?', [ids[1]])
  await addIndex(db, at, { id: 'slugs', status: 'ready' })
  await addIndex(db, at, { id: 'numbers', status: 'ready', valueType: 'number' })
  await addIndex(db, at, { id: 'failed', status: 'failed' })
  const [hash, textHash] = [aliasHash('7'), aliasHash('soup')]
  await db.run(
    `insert into index_values (index_id, item_id, number_value, order_key, filter_key, alias_hash) values
     ('slugs', ?, null, 'soup', 'soup', null), ('slugs', ?, null, 'pie', 'pie', null),
     ('numbers', ?, -1.5, '7', '7', ?), ('numbers', ?, 20, null, null, null),
     ('numbers', ?, null, 'soup', 'soup', ?)`,
    [ids[0], ids[1], ids[0], hash, ids[1], ids[2], textHash],
  )
  await migrate(db)
  const none = { order_key: null, filter_key: null, alias_hash: null }
  const expected = [
    { index_id: 'numbers', item_id: ids[0], order_key: numberKey(-1.5), filter_key: '7', alias_hash: hash },
    { index_id: 'numbers', item_id: ids[1], ...none, order_key: numberKey(20) },
    // A text among numbers is an alias, but has no place in their order.
    { index_id: 'numbers', item_id: ids[2], order_key: null, filter_key: 'soup', alias_hash: textHash },
    { index_id: 'slugs', item_id: ids[0], order_key: 'soup', filter_key: 'soup', alias_hash: null },
    { index_id: 'slugs', item_id: ids[1], order_key: 'pie', filter_key: 'pie', alias_hash: null },
    { index_id: 'slugs', item_id: ids[2], ...none },
  ]
  t.deepEqual(
    await db.all('select * from index_values order by index_id, item_id'),
    expected.map((entry) => ({
      ...entry,
      created_at: timeOfId(entry.item_id ?? ''),
      activated: Number(entry.item_id !== ids[1]),
      readonly: Number(entry.item_id === ids[1]),
    })),
  )
  t.deepEqual(
    (await db.all('select id, values_id from indexes order by id')).map((row) => row.values_id),
    ['failed', 'numbers', 'slugs'],
  )
})

test('items, their tags and their entries get the time of their id, each once, and no others change', async (t) => {
  const db = await one(t)
  await migrate(db)
  const { accountId, listId } = await makeList(db)
  await addManyItems(db, { accountId, listId, count: 301, tag: 'a' })
  const { id: right } = (await db.get<{ id: string }>('select max(id) as id from items')) ?? { id: '' }
  for (const [table, id] of parts) {
    await db.run(`update ${table} set created_at = ? where ${id} = ?`, [timeOfId(right), right])
  }
  t.is(await moveAll(db, alignItemTimes, { limit: 100 }), 301)
  for (const [table, id] of parts) {
    const rows = await db.all<{ id: string; created_at: unknown }>(`select ${id} as id, created_at from ${table}`)
    t.is(rows.length, 301)
    t.true(
      rows.every((row) => Number(row.created_at) === timeOfId(row.id)),
      table,
    )
  }
})

const parts = [
  ['items', 'id'],
  ['index_values', 'item_id'],
  ['item_tags', 'item_id'],
] as const

test('index entries are filled in batches, each item and each index once', async (t) => {
  const db = await one(t)
  await migrate(db)
  await db.run('alter table index_values add column number_value double precision')
  const at = await makeList(db)
  const ids = await storeItems(
    db,
    at,
    Array.from({ length: 1_001 }, () => null),
  )
  for (const id of ['a', 'b']) await addIndex(db, at, { id, status: 'ready' })
  await db.run('update indexes set values_id = id')
  await db.run("insert into index_values (index_id, item_id, number_value) select 'a', id, 5 from items")
  for (const move of [fillEntries, addEntries]) await moveAll(db, move, { limit: 250 })
  const entries = await db.all(
    'select index_id, count(*) as n, min(order_key) as low, max(order_key) as high from index_values group by index_id order by index_id',
  )
  t.deepEqual(entries, [
    { index_id: 'a', n: ids.length, low: numberKey(5), high: numberKey(5) },
    { index_id: 'b', n: ids.length, low: null, high: null },
  ])
})

async function addIndex(
  db: Database,
  { accountId, listId }: { accountId: string; listId: string },
  { id, status, valueType = 'string' }: { id: string; status: string; valueType?: string },
): Promise<void> {
  const flags = { alias: 0, sorting: 0, filtering: 0, searching: 0, guard: 0, activated: 1 }
  const texts = { name: id, description: '', tags: '[]', path_name: id, pointer: `/${id}`, value_type: valueType }
  const at = { account_id: accountId, list_id: listId, created_at: 0, updated_at: 0 }
  const row = { id, ...at, ...texts, ...flags, default_order_direction: 'asc', build_status: status }
  await db.run(db.build('indexes').insert(row))
}

function migration(t: ExecutionContext, dataDir: string) {
  const { LISTD_DATABASE_URL: url = '' } = databaseSettings(dataDir)
  return testProcess(t, [process.execPath, program, url, dataDir])
}
