import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import test from 'ava'
import { loadConfig } from '#shared/config/load.ts'
import { verifyPassword } from '#shared/crypto/password.ts'
import { createMasterKey } from '#shared/crypto/seal.ts'
import { listAccounts } from '#shared/data/accounts/accounts.ts'
import { migrations } from '#shared/data/migrations/migrations.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { findUserByEmailKey } from '#shared/data/users/users.ts'
import { joinInstallation } from '#shared/ops/join-installation.ts'
import { testBackend } from '../../../../support/databases/database.ts'
import { testNats } from '../../../../support/nats/nats.ts'
import { commandLine, settingsOf } from '../../../../support/processes/command-line.ts'
import { freePort } from '../../../../support/processes/free-port.ts'
import { takenPort } from '../../../../support/processes/taken-port.ts'
import { testLog } from '../../../../support/test-context/test-log.ts'

test('migrate --status reports the version of the schema, and changes nothing', async (t) => {
  const { run, database, dataDir } = await commandLine(t)
  const none = testBackend === 'sqlite' ? /^There is no database yet/ : /^The schema is at version 0; /
  const before = await run(['migrate', '--status'])
  t.regex(before.stdout, none)
  t.is(before.code, 10)
  t.false(existsSync(`${dataDir}/listd.db`))
  const db = await database()
  const empty = JSON.parse((await run(['migrate', '--status', '--json'])).stdout)
  t.like(empty, { version: 0, state: 'too-old' })
  t.is(empty.waiting.at(-1), empty.codeVersion)
  t.regex((await run(['migrate', '--json'])).stderr, /^listd: --json can only be used with --status\.\n$/)
  await run(['migrate'])
  const current = await run(['migrate', '--status'])
  t.regex(current.stdout, /^The schema is at version \d+, .* There is nothing to do\.\n$/)
  t.is(current.code, 0)
  await putSetting(db, 'compatibleFrom', '99')
  const tooNew = await run(['migrate', '--status'])
  t.regex(tooNew.stdout, /needs a listd that supports version 99/)
  t.is(tooNew.code, 11)
})

test('migrate first reports which services run on the database, and what happens to them', async (t) => {
  const { run, database, dataDir } = await commandLine(t)
  const nats = await testNats(t)
  const env = { ...settingsOf(dataDir), LISTD_NATS_URL: nats.url }
  await run(['migrate'], { env })
  const db = await database()
  const { log } = testLog(t, 'gateway')
  const { bus } = await joinInstallation({ service: 'gateway', config: loadConfig({ env }), db, log })
  t.teardown(bus.close)
  const upgraded = await run(['migrate'], { env })
  t.false(upgraded.stderr.includes('On this database'), 'there is nothing to upgrade')
  // Makes the last step run again; whether it succeeds does not matter here.
  const before = String((migrations.at(-1)?.version ?? 0) - 1)
  await putSetting(db, 'version', before)
  await putSetting(db, 'compatibleFrom', before)
  t.regex((await run(['migrate'], { env })).stderr, /^Running on this database: the gateway on \S+\. Running services /)
})

test('a command that needs the schema rejects a database that is not migrated', async (t) => {
  const { run, database, dataDir } = await commandLine(t)
  const none = await run(['account', 'create', '--name', 'x'])
  t.like(none, { code: 1, stdout: '' })
  if (testBackend === 'sqlite') {
    t.regex(none.stderr, /^listd: there is no database: .*listd\.db does not exist\. .*LISTD_DATA_DIR/)
    t.false(existsSync(`${dataDir}/listd.db`))
  }
  await database()
  const early = await run(['account', 'create', '--name', 'x'])
  t.like(early, { code: 1, stdout: '' })
  t.regex(early.stderr, /^listd: The database schema is at version 0 .*"listd migrate" first\.\n$/)
})

test('the configured first user is created while there is none, and never again', async (t) => {
  const { run, database } = await commandLine(t)
  const first = { LISTD_ADMIN_EMAIL: 'admin@example.com', LISTD_ADMIN_PASSWORD: 'correct horse battery' }
  t.is((await run(['migrate'], { env: first })).code, 0)
  t.is((await run(['migrate'], { env: { ...first, LISTD_ADMIN_EMAIL: 'other@example.com' } })).code, 0)
  const db = await database()
  const user = await findUserByEmailKey(db, 'admin@example.com')
  t.true(await verifyPassword(user?.passwordHash ?? '', first.LISTD_ADMIN_PASSWORD))
  t.is((await listAccounts(db, { limit: 5 })).length, 1)
  t.is(await findUserByEmailKey(db, 'other@example.com'), null)
})

test('config print shows every setting with its source, and no secret', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const env = {
    LISTD_ADMIN_EMAIL: 'me@example.com',
    LISTD_ADMIN_PASSWORD: 'canary-password',
    LISTD_DATABASE_URL: 'postgres://listd:canary-word@db/listd',
  }
  const { stdout } = await run(['config', 'print'], { env })
  const lines = stdout.split('\n')
  t.regex(lines[0] ?? '', /^KEY +VALUE +SOURCE$/)
  t.true(lines.some((line) => /^gateway\.port +3000 +config\/default\.json$/.test(line)))
  t.true(lines.some((line) => line.startsWith('dataDir ') && line.includes(dataDir) && line.endsWith('LISTD_DATA_DIR')))
  t.true(lines.some((line) => /^admin\.password +\[redacted\] +LISTD_ADMIN_PASSWORD$/.test(line)))
  const json = await run(['config', 'print', '--json'], { env })
  t.is(JSON.parse(json.stdout).length, lines.length - 2)
  t.false((stdout + json.stdout).includes('canary'))
  t.regex((await run(['config', 'print'], { env: { LISTD_GATEWAY_PORT: 'x' } })).stderr, /gateway\.port/)
})

test('a url of an unknown kind, or with parameters, is rejected with its key and not shown', async (t) => {
  const { run } = await commandLine(t)
  for (const url of ['mongodb://u:geheim@h/db', 'postgres://u:geheim@h/db?sslmode=disable', 'mysql://u:geheim@h']) {
    const { code, stderr } = await run(['migrate'], { env: { LISTD_DATABASE_URL: url } })
    t.is(code, 78)
    t.regex(stderr, /database\.url: \[redacted\] \(from LISTD_DATABASE_URL\) must be empty, sqlite:<file>, or postgres/)
    t.false(stderr.includes('geheim'))
  }
})

test('a SQLite database that cannot be opened is reported in one line with its file', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const noise = `${dataDir}/noise`
  await writeFile(noise, 'no database'.repeat(1_000))
  for (const [file, reason] of [
    [`${dataDir}/none/x.db`, 'its folder does not exist'],
    [noise, 'the file is not a SQLite database'],
  ]) {
    const { code, stdout, stderr } = await run(['migrate'], { env: { LISTD_DATABASE_URL: `sqlite:${file}` } })
    t.like({ code, stdout }, { code: 78, stdout: '' })
    t.regex(stderr, new RegExp(`^listd: The database ${file} cannot be used: ${reason}.*\\.\n$`))
  }
})

for (const kind of ['postgres', 'mysql']) {
  for (const silent of [false, true]) {
    test(`a ${kind} server that ${silent ? 'does not answer' : 'is away'} is reported in one line with its address`, async (t) => {
      const { run } = await commandLine(t)
      const address = `127.0.0.1:${silent ? await takenPort(t) : await freePort()}`
      const env = {
        LISTD_DATABASE_URL: `${kind}://listd:geheim-12345@${address}/listd`,
        LISTD_SECRETS_MASTER_KEY: createMasterKey(),
      }
      for (const command of [['migrate', '--status'], ['migrate']]) {
        const { code, stdout, stderr } = await run(command, { env })
        t.is(code, 75)
        t.regex(stderr, new RegExp(`^listd: The database at ${address} cannot be used: .+\n$`))
        if (silent) t.regex(stderr, /it does not answer/)
        t.false(stderr.includes('geheim'))
        t.is(stdout, '')
      }
    })
  }
}
