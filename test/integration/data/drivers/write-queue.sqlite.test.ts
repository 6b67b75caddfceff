import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { sql } from '#shared/data/sql/sql.ts'
import { anotherConnection, emptyDirectory, testDatabase } from '../../../support/databases/database.ts'

test('64 concurrent writers in two processes during a long read: none gets a locked database, and no update is lost', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const other = await anotherConnection(t, dataDir)
  await db.run("insert into settings (name, value) values ('n', '0')")
  const reader = other.all(
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select max(i) from n, settings',
  )
  const add = (each: typeof db) =>
    each.transaction(async (tx) => {
      const row = await tx.get<{ value: string }>("select value from settings where name = 'n'")
      await tx.run("update settings set value = ? where name = 'n'", [String(Number(row?.value) + 1)])
    })
  await Promise.all(Array.from({ length: 64 }, (_, n) => add(n % 2 ? db : other)))
  t.deepEqual(await db.get("select value from settings where name = 'n'"), { value: '64' })
  await reader
})

test('if many open a new file at once, none is rejected', async (t) => {
  for (let round = 0; round < 10; round++) {
    const dataDir = await emptyDirectory(t)
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => openDatabase({ url: '', dataDir })))
    const databases = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await Promise.all(databases.map((db) => db.close()))
    t.is(databases.length, opened.length)
  }
})

test('beyond its bound a queue of transactions responds that the service is unavailable', async (t) => {
  const { db } = await testDatabase(t)
  const results = await Promise.allSettled(Array.from({ length: 2_050 }, () => db.transaction(async () => {})))
  const rejected = results.filter((result) => result.status === 'rejected')
  t.is(rejected.length, 50)
  t.true(rejected.every(({ reason }) => reason.name === 'SERVICE_UNAVAILABLE'))
})

const lease = (name: string) => sql`insert into leases (name, lease_until, fence) values (${name}, ${1}, ${1})`
const ways: Record<string, (db: Database, name: string) => Promise<unknown> | undefined> = {
  'a statement': (db, name) => db.run(lease(name)),
  'statements written together': (db, name) => db.atomicBatch?.([{ statement: lease(name) }]),
  'a transaction': (db, name) => db.transaction((tx) => tx.run(lease(name))),
}
for (const [given, giveUp] of Object.entries(ways))
  test(`if ${given} waited without success for another process's lock, the next write is committed once it is reported`, async (t) => {
    const { db, dataDir } = await testDatabase(t)
    const other = await anotherConnection(t, dataDir)
    for (const [what, write] of Object.entries(ways)) {
      await other.transaction(async () => {
        await t.throwsAsync(async () => giveUp(db, 'given up'), { name: 'SERVICE_UNAVAILABLE' })
      })
      await write(db, what)
      t.is((await other.all(sql`select name from leases where name = ${what}`)).length, 1, what)
    }
    await db.transaction(async () => {})
    t.deepEqual((await other.all<{ name: string }>('select name from leases')).map(({ name }) => name).sort(), [
      'a statement',
      'a transaction',
      'statements written together',
    ])
  })
