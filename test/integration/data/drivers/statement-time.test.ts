import { setTimeout as pause } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import type { Database, Queries } from '#shared/data/database.ts'
import { type SlowStatement, silentListener } from '#shared/data/database-listener.ts'
import type { DatabaseOptions } from '#shared/data/open-database.ts'
import { anotherConnection, migratedDirectory, testBackend } from '../../../support/databases/database.ts'

/** A statement that would run for hours. */
const endless = {
  sqlite: 'with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) as n from c',
  postgres: 'select count(*) as n from generate_series(1, 1000000000000)',
  mysql: `select count(*) as n from ${'abcdefg'
    .split('')
    .map((name) => `information_schema.columns ${name}`)
    .join(', ')}`,
}[testBackend]

const isRefused = { name: 'SERVICE_UNAVAILABLE' }

/** A database whose limit is above the 1 s from which statements are reported, because a timer may fire a little early. */
async function impatient(
  t: ExecutionContext,
  more: Pick<DatabaseOptions, 'readers' | 'listener'> = {},
): Promise<Database> {
  return anotherConnection(t, await migratedDirectory(t), { statementMs: 1_200, ...more })
}

async function isThere(db: Queries): Promise<boolean> {
  return (await db.get<{ n: number }>('select 1 as n'))?.n === 1
}

test('a read that runs too long is ended and reported, and its connection stays usable', async (t) => {
  const reported: SlowStatement[] = []
  const listener = { ...silentListener, slow: (statement: SlowStatement) => void reported.push(statement) }
  const db = await impatient(t, { readers: 1, listener })
  await t.throwsAsync(db.all(endless), isRefused)
  await t.throwsAsync(db.long.get(endless), isRefused)
  t.true(await isThere(db))
  t.deepEqual(
    reported.map(({ text, rows, durationMs }) => [text, rows, durationMs >= 1_000]),
    [
      [endless, 0, true],
      [endless, 0, true],
    ],
  )
})

test('a statement that runs too long ends its transaction, which writes nothing', async (t) => {
  const db = await impatient(t)
  const work = db.transaction(async (tx) => {
    await tx.run("insert into settings (name, value) values ('half', '1')")
    await tx.all(endless)
  })
  await t.throwsAsync(work, isRefused)
  t.is(await db.get("select 1 as n from settings where name = 'half'"), undefined)
  await db.run("insert into settings (name, value) values ('whole', '1')")
  t.true(await isThere(db))
})

test('a transaction may take longer than any of its statements', async (t) => {
  const db = await impatient(t)
  await db.transaction(async (tx) => {
    for (let n = 0; n < 8; n++) {
      t.true(await isThere(tx))
      await pause(500)
    }
    await tx.run("insert into settings (name, value) values ('whole', '1')")
  })
  t.truthy(await db.get("select 1 as n from settings where name = 'whole'"))
})

test('any number of long reads leaves a connection to the quick ones', async (t) => {
  const db = await impatient(t, { readers: 2 })
  let ended = 0
  const long = Array.from({ length: 4 }, () => db.long.all(endless).catch(() => ended++))
  for (let n = 0; n < 5; n++) t.true(await isThere(db))
  t.true(ended < long.length, 'the long reads run one by one, each until its limit')
  await Promise.all(long)
  t.is(ended, long.length)
})
