import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { migrate, schemaState } from '#shared/data/migrate.ts'
import { migrations } from '#shared/data/migrations/migrations.ts'
import { until } from '../../../support/assertions/until.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testBackend, testDatabase } from '../../../support/databases/database.ts'
import { nextVersion } from '../../../support/databases/schemas/next-version.ts'

const waiting = {
  postgres: `select count(*) as n from pg_locks l join pg_database d on d.oid = l.database
    where not l.granted and d.datname = current_database()`,
  mysql: `select count(*) as n from information_schema.processlist
    where state = 'Waiting for table metadata lock' and db = database()`,
  sqlite: '',
}

test('a step waits for a long reader of a table, and does not block others from the table in the meantime', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const list = await makeList(db)
  const step = {
    version: nextVersion,
    compatibleFrom: 1,
    up: (build: Database['build']) => [build.raw('alter table items add column next_text int').toSQL()],
  }
  const upgrading = await anotherConnection(t, dataDir)
  const reading = await anotherConnection(t, dataDir)
  let upgraded: Promise<unknown> | undefined
  await reading.withSnapshot(async (snapshot) => {
    await snapshot.all('select id from items')
    upgraded = migrate(upgrading, { steps: [...migrations, step] })
    await until(async () => Number((await db.get<{ n: number }>(waiting[testBackend]))?.n) > 0, {
      withinMs: 60_000,
      what: 'the step to wait',
    })
    for (let n = 0; n < 2; n++) await storeItems(db, list, [{ n }])
    t.like(await schemaState(db), { version: nextVersion - 1 })
  })
  await upgraded
  t.like(await schemaState(db), { version: nextVersion })
  t.is((await db.all('select next_text from items')).length, 2)
})
