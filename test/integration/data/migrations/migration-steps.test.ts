import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { checkSchema, migrate, schemaFits, schemaState, schemaStatus } from '#shared/data/migrate.ts'
import type { Migration, Move } from '#shared/data/migrations/migration.ts'
import { migrations } from '#shared/data/migrations/migrations.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import {
  anotherConnection,
  databaseSettings,
  emptyDirectory,
  testBackend,
} from '../../../support/databases/database.ts'
import { countMoves, nextSteps, nextVersion } from '../../../support/databases/schemas/next-version.ts'
import { dumpSchema } from '../../../support/databases/schemas/schema-dump.ts'
import { testProcess } from '../../../support/processes/process.ts'

type ListKey = { accountId: string; listId: string }

/** A database of this version with this number of items. */
async function filled(t: ExecutionContext, items: number) {
  const dataDir = await emptyDirectory(t)
  const db = await anotherConnection(t, dataDir)
  await migrate(db)
  const list = await makeList(db)
  await store(db, list, items)
  return { db, dataDir, list }
}

/** Writes items as services of this version do. */
function store(db: Database, list: ListKey, count: number): Promise<string[]> {
  return storeItems(db, list, Array(count).fill({ title: 'Soup' }))
}

/** The number of items by the number of times that they were moved. */
async function moves(db: Database): Promise<Record<string, number>> {
  const rows = await db.all<{ moves: number; n: number }>(
    'select next_moves as moves, count(*) as n from items group by next_moves',
  )
  return Object.fromEntries(rows.map(({ moves, n }) => [moves, Number(n)]))
}

test('data is moved in batches, and between two of them services of this version write, on a schema that they support', async (t) => {
  const { db, dataDir, list } = await filled(t, 100)
  const service = await anotherConnection(t, dataDir)
  const reported: number[] = []
  await migrate(db, {
    steps: await nextSteps(),
    async onProgress({ version, rows }) {
      reported.push(rows)
      t.like(await schemaState(service), { version: version - 1 })
      if (reported.length === 1) await store(service, list, 1)
      await t.notThrowsAsync(checkSchema(service))
    },
  })
  t.true(reported.length > 1)
  t.deepEqual(
    reported,
    reported.toSorted((a, b) => a - b),
  )
  // An item that was written at a place that the move had already passed may not be moved.
  const { 0: left = 0, 1: moved = 0, ...more } = await moves(db)
  t.deepEqual([left + moved, more], [101, {}])
  t.true(moved >= 100)
  t.like(await schemaState(service), { version: nextVersion })
  await t.notThrowsAsync(checkSchema(service))
})

test('a process killed inside a batch leaves nothing of the batch, and the next continues after the previous batch', async (t) => {
  const { db, dataDir } = await filled(t, 100)
  const { LISTD_DATABASE_URL: url = '' } = databaseSettings(dataDir)
  const migration = testProcess(t, [
    process.execPath,
    join(import.meta.dirname, '../../../support/programs/migrate.ts'),
    url,
    dataDir,
    'next',
  ])
  await migration.printed(/inside a batch/)
  migration.child.kill('SIGKILL')
  await migration.ended
  t.like(await schemaState(db), { version: nextVersion - 1 })
  await t.notThrowsAsync(checkSchema(db))
  const left = await moves(db)
  t.true((left[0] ?? 0) > 0 && (left[1] ?? 0) > 0, JSON.stringify(left))
  t.deepEqual(await migrate(db, { steps: await nextSteps() }), { from: nextVersion - 1, to: nextVersion })
  t.deepEqual(await moves(db), { 1: 100 })
})

test('of several processes that upgrade at once each row is moved once', async (t) => {
  const { db, dataDir } = await filled(t, 300)
  const steps = await nextSteps()
  const others = [db, await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  await Promise.all(others.map((other) => migrate(other, { steps })))
  t.deepEqual(await moves(db), { 1: 300 })
  t.like(await schemaState(db), { version: nextVersion })
})

test('a failed batch leaves the previous ones, says so, and the next run continues after them', async (t) => {
  const { db } = await filled(t, 100)
  const fails: typeof countMoves = async (tx, batch) => {
    const moved = await countMoves(tx, batch)
    if (batch.after !== null) throw new Error('The moon is not full.')
    return moved
  }
  const error = await t.throwsAsync(migrate(db, { steps: await nextSteps(fails) }), { name: 'SchemaError' })
  t.is(
    error?.message,
    `Step ${nextVersion} of the upgrade of the database schema failed: The moon is not full. ` +
      'The next run goes on behind the last rows that it has moved. Remove the cause, then run "listd migrate" again.',
  )
  t.like(await schemaStatus(db), { version: nextVersion - 1, state: 'fits' })
  await migrate(db, { steps: await nextSteps() })
  t.deepEqual(await moves(db), { 1: 100 })

  const behind = { version: nextVersion + 1, compatibleFrom: 1, up: () => [] }
  const steps = async (move: Move): Promise<Migration[]> => [...(await nextSteps()), { ...behind, moves: [move] }]
  await t.throwsAsync(migrate(db, { steps: await steps(fails) }), { name: 'SchemaError' })
  await migrate(db, { steps: await steps(countMoves) })
  t.deepEqual(await moves(db), { 2: 100 }, 'also if a step only moves data')
})

test('a step that services of this version do not support rejects them before it changes any row', async (t) => {
  const { db, dataDir } = await filled(t, 30)
  const service = await anotherConnection(t, dataDir)
  const [next] = (await nextSteps()).slice(-1)
  const steps = [...migrations, { ...(next as Migration), compatibleFrom: nextVersion }]
  await migrate(db, {
    steps,
    async onProgress() {
      t.false(await schemaFits(service))
      await t.throwsAsync(checkSchema(service), { message: /newer listd.*Start the newer listd/ })
    },
  })
})

/** Statements of every kind that migrations have, on tables and indexes whose names end with the number. */
function kindsOfStatements(n: number): string[] {
  return [
    `create table kinds_${n} (id int not null primary key, old int, gone int)`,
    `create index kinds_old_${n} on kinds_${n} (old)`,
    `alter table kinds_${n} add column flag int not null default 1`,
    testBackend === 'mysql' ? `drop index kinds_old_${n} on kinds_${n}` : `drop index kinds_old_${n}`,
    `alter table kinds_${n} drop column gone`,
    `update kinds_${n} set old = 5`,
    `create unique index kinds_flag_${n} on kinds_${n} (flag, old)`,
  ]
}

const step = (version: number, statements: readonly string[]): Migration => ({
  version,
  compatibleFrom: 1,
  up: (build) => statements.map((text) => build.raw(text).toSQL()),
})

/** The schema of the tables with this number, without the number. */
async function kindsOf(db: Database, n: number): Promise<string[]> {
  const lines = (await dumpSchema(db)).split('\n').filter((line) => line.includes(`kinds_${n}`))
  return lines.map((line) => line.replaceAll(`_${n}`, '_N'))
}

test('a step that fails at any of its statements leaves the old schema, or on MySQL one that the next run completes', async (t) => {
  const { db } = await filled(t, 0)
  const good: Migration[] = [step(nextVersion, kindsOfStatements(0))]
  await migrate(db, { steps: [...migrations, ...good] })
  const expected = await kindsOf(db, 0)
  for (const position of kindsOfStatements(0).keys()) {
    const n = position + 1
    const statements = kindsOfStatements(n)
    const broken = statements.with(position, 'drop table there_is_none')
    const before = await dumpSchema(db)
    const version = nextVersion + n
    const failing = migrate(db, { steps: [...migrations, ...good, step(version, broken)] })
    const left = testBackend === 'mysql' ? /The next run goes on behind the last of its/ : /Nothing of it is left/
    await t.throwsAsync(failing, { name: 'SchemaError', message: left })
    t.like(await schemaStatus(db), { version: version - 1, state: 'fits' })
    if (testBackend !== 'mysql') t.is(await dumpSchema(db), before)
    good.push(step(version, statements))
    await migrate(db, { steps: [...migrations, ...good] })
    t.deepEqual(await kindsOf(db, n), expected)
  }
})

// The other databases run a step in one transaction.
const onMysql = testBackend === 'mysql' ? test : test.skip
onMysql('a step whose process died after any statement, before it recorded that, is continued', async (t) => {
  const { db } = await filled(t, 0)
  const good: Migration[] = [step(nextVersion, kindsOfStatements(0))]
  await migrate(db, { steps: [...migrations, ...good] })
  const expected = await kindsOf(db, 0)
  for (const position of kindsOfStatements(0).keys()) {
    const n = position + 1
    const statements = kindsOfStatements(n)
    for (const text of statements.slice(0, n)) await db.run(text)
    await putSetting(db, 'migrationStep', String(position))
    good.push(step(nextVersion + n, statements))
    await migrate(db, { steps: [...migrations, ...good] })
    t.deepEqual(await kindsOf(db, n), expected)
  }
})
