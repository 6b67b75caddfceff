import { existsSync } from 'node:fs'
import { chown, copyFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { openSealer } from '#shared/crypto/seal.ts'
import { lockDataDirectory } from '#shared/data/data-directory-lock.ts'
import { migrate } from '#shared/data/migrate.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { openTestDatabase } from '../../../../support/databases/database.ts'
import { migrateToThird } from '../../../../support/databases/schemas/old-schema.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'
import { leaveMasterKey } from '../../../../support/processes/master-key.ts'

const otherKey = 'A'.repeat(43)

/** An installation with one account and its master key, and the path of a backup that does not exist yet. */
async function installation(t: ExecutionContext) {
  const { run, dataDir, database } = await commandLine(t)
  const db = await database()
  await migrate(db)
  await leaveMasterKey(dataDir, db)
  await run(['account', 'create', '--name', 'kitchen'])
  return { run, dataDir, db, file: join(dataDir, 'backup') }
}

/** The same installation with a backup, and an empty data directory that has its master key. */
async function backedUp(t: ExecutionContext) {
  const from = await installation(t)
  await from.run(['backup', from.file])
  const to = await commandLine(t)
  await copyFile(join(from.dataDir, 'master-key'), join(to.dataDir, 'master-key'))
  return { from, to }
}

test('a backup by root is recorded for the user who owns the data directory', async (t) => {
  if (process.getuid?.() !== 0) {
    t.pass('only root may give a file away')
    return
  }
  const { run, dataDir, file } = await installation(t)
  await chown(dataDir, 12_345, 12_345)
  t.is((await run(['backup', file])).code, 0)
  t.like(await stat(join(dataDir, 'last-backup')), { uid: 12_345, gid: 12_345 })
})

test('a backup has one state of the database, even during writes, and is restored unchanged', async (t) => {
  const { from, to } = await backedUp(t)
  const { db, run } = from
  await db.run('create table pairs (a bigint, b bigint)')
  await db.run('insert into pairs values (0, 0)')
  // Enough pages that a copy takes longer than a write.
  await db.run(`with recursive n(x) as (select 1 union all select x + 1 from n where x < 20000)
    insert into pairs select 0, hex(randomblob(100)) from n`)
  let copying = true
  const writing = (async () => {
    let writes = 0
    for (; copying; writes++) {
      await db.transaction(async (tx) => {
        await tx.run('update pairs set a = a + 1 where rowid = 1')
        await tx.run('update pairs set b = b + 1 where rowid = 1')
      })
    }
    return writes
  })()
  const backup = run(['backup', `${from.file}-2`]).finally(() => (copying = false))
  // The file appears under this name only when the backup is complete.
  while (copying && !existsSync(`${from.file}-2`)) await new Promise(setImmediate)
  t.true((await stat(`${from.file}-2`)).size > 2_000_000)
  const { code, stderr } = await backup
  t.is(code, 0)
  t.true((await writing) > 0)
  t.regex(stderr, /^Backed up the database to .* \(\d+\.\d MiB, schema version \d+\)\.\n.*Its id is [0-9a-f]{8}\.\n$/)
  t.is((await stat(`${from.file}-2`)).mode & 0o777, 0o600)
  t.like(await to.run(['restore', `${from.file}-2`]), { code: 0 })
  const restored = await to.database()
  const [pair] = await restored.all<{ a: number; b: number }>('select a, b from pairs where rowid = 1')
  t.is(pair?.a, pair?.b)
  t.regex((await to.run(['account', 'list'])).stdout, / kitchen /)
  t.is((await to.run(['migrate'])).code, 0)
})

test('a backup never overwrites a file, and a failed backup leaves none', async (t) => {
  const { run, file, dataDir } = await installation(t)
  await writeFile(file, 'precious')
  t.regex((await run(['backup', file])).stderr, /^listd: .* exists already\. Choose another name/)
  t.is(await readFile(file, 'utf8'), 'precious')
  t.regex((await run(['backup', join(dataDir, 'none', 'x')])).stderr, /its folder does not exist\.\n$/)
  const empty = await commandLine(t)
  t.regex((await empty.run(['backup', join(empty.dataDir, 'x')])).stderr, /^listd: there is no database to back up: /)
  await empty.database()
  t.regex(
    (await empty.run(['backup', join(empty.dataDir, 'x')])).stderr,
    /there is nothing to back up: .*listd\.db has no/,
  )
  t.false(existsSync(join(empty.dataDir, 'last-backup')))
  await writeFile(join(dataDir, 'noise'), 'no database'.repeat(1_000))
  const env = { LISTD_DATABASE_URL: `sqlite:${join(dataDir, 'noise')}` }
  t.is((await run(['backup', join(dataDir, 'x')], { env })).code, 1)
  t.deepEqual(
    [...(await readdir(dataDir)), ...(await readdir(empty.dataDir))].filter((name) => name.startsWith('x')),
    [],
  )
})

test('a restore is rejected while a listd runs, and if there is a database, which --replace keeps', async (t) => {
  const { from, to } = await backedUp(t)
  const lock = await lockDataDirectory(to.dataDir)
  t.regex((await to.run(['restore', from.file])).stderr, /^listd: another listd runs on the data directory/)
  await lock.release()
  t.is((await to.run(['restore', from.file])).code, 0)
  const db = await openTestDatabase(to.dataDir)
  await to.run(['account', 'create', '--name', 'garden'])
  t.regex((await to.run(['restore', from.file])).stderr, /^listd: a database already exists: .*--replace/)
  t.regex((await to.run(['restore', from.file, '--replace'])).stderr, /^listd: another process uses .*listd\.db\./)
  t.regex((await to.run(['account', 'list'])).stdout, / garden /)
  await db.close()
  const replaced = await to.run(['restore', from.file, '--replace'])
  t.regex(replaced.stderr, /^The database that was there is kept as .*listd\.db\.replaced\.\nRestored /)
  t.notRegex((await to.run(['account', 'list'])).stdout, / garden /)
  const again = await to.run(['restore', from.file, '--replace'])
  t.regex(again.stderr, /^The database that was there is kept as .*listd\.db\.replaced-2\.\nRestored /)
  const env = { LISTD_DATABASE_URL: `sqlite:${to.dataDir}/listd.db.replaced` }
  t.regex((await to.run(['account', 'list'], { env })).stdout, / garden /)
})

type Harm = { what: string; harm(file: string): Promise<void>; says: RegExp }
const harms: Harm[] = [
  {
    what: 'is cut short',
    harm: async (file) => truncate(file, (await stat(file)).size / 2),
    says: /is damaged or is not a backup: /,
  },
  {
    what: 'is of another kind',
    harm: (file) => writeFile(file, 'text'.repeat(1_000)),
    says: /is damaged or is not a backup: /,
  },
  { what: 'is empty', harm: (file) => truncate(file), says: /is not a backup of listd: it has no schema version\.\n$/ },
]

for (const { what, harm, says } of harms) {
  test(`a backup that ${what} is rejected, and nothing is changed`, async (t) => {
    const { from, to } = await backedUp(t)
    await harm(from.file)
    const { code, stderr } = await to.run(['restore', from.file])
    t.is(code, 1)
    t.regex(stderr, says)
    t.deepEqual((await readdir(to.dataDir)).sort(), ['lock.db', 'master-key'])
  })
}

test('a backup that needs another master key is rejected with the ids of both', async (t) => {
  const { from, to } = await backedUp(t)
  const key = await readFile(join(from.dataDir, 'master-key'), 'utf8')
  const [needed, other] = [key, otherKey].map((text) => openSealer(text).createCheck().split('.')[1])
  const { stderr } = await to.run(['restore', from.file], { env: { LISTD_SECRETS_MASTER_KEY: otherKey } })
  t.regex(
    stderr,
    new RegExp(`needs the master key ${needed}, but only ${other} is available\\. Add that key as another line to `),
  )
  const none = await commandLine(t)
  t.regex((await none.run(['restore', from.file])).stderr, new RegExp(`${needed}, but no key is available\\.`))
  t.false(existsSync(join(none.dataDir, 'listd.db')))
  t.false((await readFile(from.file)).includes(key.trim()))
})

test('a backup with a newer schema is rejected, and one with an older schema is restored and upgraded', async (t) => {
  const { from, to } = await backedUp(t)
  await putSetting(from.db, 'compatibleFrom', '99')
  await from.run(['backup', `${from.file}-99`])
  t.regex(
    (await to.run(['restore', `${from.file}-99`])).stderr,
    /migrated by a newer listd .* 99; .*Start the newer listd/,
  )
  const old = await commandLine(t)
  await migrateToThird(await old.database())
  await old.run(['backup', join(old.dataDir, 'backup')])
  t.regex((await to.run(['restore', join(old.dataDir, 'backup')])).stderr, /schema version 3\./)
  t.regex((await to.run(['migrate'])).stderr, /Upgraded the database schema from version 3 to \d+\.\n$/)
})

test('with a database server the command of its own tool is shown, without the password', async (t) => {
  const { run } = await commandLine(t)
  const key = { LISTD_SECRETS_MASTER_KEY: otherKey }
  const postgres = { ...key, LISTD_DATABASE_URL: 'postgres://me:geheim@db.example.com/lists' }
  const at = '--host=db.example.com --port=5432 --username=me'
  t.like(await run(['backup', 'my file'], { env: postgres }), {
    code: 1,
    stderr: `listd: the database is on a Postgres server: back it up with "pg_dump --format=custom ${at} --file='my file' lists", or copy it with "listd db copy --to sqlite:FILE".\n`,
  })
  t.regex(
    (await run(['restore', 'x'], { env: postgres })).stderr,
    /"pg_restore --clean --if-exists .* --dbname=lists x"/,
  )
  const mysql = { ...key, LISTD_DATABASE_URL: 'mysql://me:geheim@db/lists' }
  t.regex(
    (await run(['backup', 'x'], { env: mysql })).stderr,
    /"mysqldump --single-transaction --host=db .* lists", or copy it /,
  )
  t.regex((await run(['restore', 'x'], { env: mysql })).stderr, /"mysql --host=db --port=3306 .* lists < x"\.\n$/)
})

test('an upgrade first backs up the database, and keeps the backup of the last one', async (t) => {
  const { run, dataDir, database } = await commandLine(t)
  const db = await database()
  await migrateToThird(db)
  await writeFile(join(dataDir, 'listd.db.schema-2'), 'of an earlier upgrade')
  await db.run('alter table identities rename to identities_aside')
  const failed = await run(['migrate'])
  t.regex(failed.stderr, /^The database as it was before this upgrade is in .*listd\.db\.schema-3\.\nlistd: Step 5 /)
  t.regex(failed.stderr, /Or go back: stop listd, run "listd restore --replace .*\.schema-3", and start the version /)
  const backups = async () => (await readdir(dataDir)).filter((name) => name.includes('.schema-')).sort()
  t.deepEqual(await backups(), ['listd.db.schema-2', 'listd.db.schema-3'])
  await db.run('alter table identities_aside rename to identities')
  t.regex((await run(['migrate'])).stderr, /listd\.db\.schema-4\.\nUpgraded .* from version 4 to \d+\.\n$/)
  t.deepEqual(await backups(), ['listd.db.schema-4'])
  t.regex((await run(['migrate'])).stderr, /^The database schema is already at /)
  const back = await commandLine(t)
  t.regex((await back.run(['restore', join(dataDir, 'listd.db.schema-4')])).stderr, /schema version 4\./)
})

test('a backup from which the previous listd can continue is not replaced by a state that it rejects', async (t) => {
  const { run, dataDir, database } = await commandLine(t)
  const db = await database()
  await migrateToThird(db)
  const backup = join(dataDir, 'listd.db.schema-3')
  await writeFile(backup, 'before the step that failed in the middle')
  await putSetting(db, 'compatibleFrom', '4')
  t.regex((await run(['migrate'])).stderr, /^The database as it was before this upgrade is in .*schema-3\.\nUpgraded /)
  t.is(await readFile(backup, 'utf8'), 'before the step that failed in the middle')
})

test('without room for a backup nothing is upgraded, unless requested', async (t) => {
  const { run, dataDir, database } = await commandLine(t)
  await migrateToThird(await database())
  // A folder at the path of the backup.
  await mkdir(join(dataDir, 'listd.db.schema-3', 'x'), { recursive: true })
  t.regex((await run(['migrate'])).stderr, /^listd: the database could not be backed up .*"listd migrate --no-backup"/)
  t.regex((await run(['migrate', '--status'])).stdout, /^The schema is at version 3; /)
  t.regex((await run(['migrate', '--no-backup'])).stderr, /^Upgraded the database schema from version 3 /)
})
