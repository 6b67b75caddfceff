import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { lockDataDirectory } from '#shared/data/data-directory-lock.ts'
import { openTestDatabase } from '../../../../support/databases/database.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'

test('free space is reported, and freed while no listd runs, and stored data stays', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const file = join(dataDir, 'listd.db')
  const size = async () => (await stat(file)).size
  t.regex((await run(['db', 'compact'])).stderr, /^listd: there is no database: .*listd\.db does not exist\.\n$/)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const db = await openTestDatabase(dataDir)
  await db.run('create table filler (text varchar(1000000))')
  await db.run('insert into filler select hex(zeroblob(500000)) from (values (1), (2), (3), (4))')
  await db.run('drop table filler')
  const inUse = await run(['db', 'compact'])
  t.regex(inUse.stderr, /another process uses .*listd\.db\. Stop it first\.\n$/)
  // If connections close at the same time, each may leave the write-ahead log to the other.
  await db.run('pragma wal_checkpoint(truncate)')
  await db.close()

  const lock = await lockDataDirectory(dataDir)
  const before = await size()
  t.regex((await run(['db', 'compact'])).stderr, /another listd runs on the data directory/)
  const report = await run(['db', 'compact', '--dry-run'])
  t.regex(report.stderr, /^3\.\d of 4\.\d MiB are free in the file\. Compacting needs up to \d\.\d MiB of free space/)
  t.deepEqual([report.code, await size()], [0, before])
  await lock.release()

  const done = await run(['db', 'compact'])
  t.is(done.code, 0, done.stderr)
  t.regex(done.stderr, /\nThe database now takes 0\.\d MiB; before it took 4\.\d MiB\.\n$/)
  t.true((await size()) < 1_000_000)
  t.like(JSON.parse((await run(['account', 'list', '--json'])).stdout), [{ name: 'main' }])
})

test('with a database server the command says that there is nothing to do, without the password', async (t) => {
  const { run } = await commandLine(t)
  const env = { LISTD_DATABASE_URL: 'postgres://listd:canary-password@db.example.com/listd' }
  const { code, stderr } = await run(['db', 'compact'], { env })
  t.deepEqual(
    [code, stderr],
    [0, 'There is nothing to do: the database is on a Postgres server, which reuses free space on its own.\n'],
  )
})
