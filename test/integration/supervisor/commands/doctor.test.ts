import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { createMasterKey } from '#shared/crypto/seal.ts'
import { lockDataDirectory } from '#shared/data/data-directory-lock.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { testBackend } from '../../../support/databases/database.ts'
import { testNats } from '../../../support/nats/nats.ts'
import { commandLine, commandsWith, type RunCommand } from '../../../support/processes/command-line.ts'
import { freePort } from '../../../support/processes/free-port.ts'
import { leaveMasterKey } from '../../../support/processes/master-key.ts'
import { takenPort } from '../../../support/processes/taken-port.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

type CheckReport = { check: string; state: 'ok' | 'note' | 'wrong'; message: string; fix?: string }

// The program does this first, too.
process.umask(0o077)

async function examine(run: RunCommand, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run(['doctor', '--json'], { env: { LISTD_GATEWAY_PORT: '0', ...env } })
  if (stdout === '') throw new Error(stderr)
  const reports: CheckReport[] = JSON.parse(stdout)
  const of = (check: string) => reports.filter((report) => report.check === check)
  return { code, reports, of, wrong: reports.filter(({ state }) => state === 'wrong') }
}

test('before the first start nothing is wrong, nothing is created, and missing parts are reported', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const { code, wrong, of } = await examine(run)
  t.deepEqual(wrong, [])
  t.is(code, 0)
  for (const check of ['Node.js', 'packages', 'configuration', 'nats-server', 'disk space']) t.is(of(check).length, 1)
  t.like(of('database'), [{ state: 'note' }])
  t.regex(of('first user')[0]?.fix ?? '', /link .*listd user create/)
  t.deepEqual(await readdir(dataDir), [])
  const missing = join(dataDir, 'later')
  t.like((await examine(run, { LISTD_DATA_DIR: missing })).of('data directory'), [{ state: 'note' }])
  t.false(existsSync(missing))
  const table = await run(['doctor'], { env: { LISTD_GATEWAY_PORT: '0' } })
  t.regex(table.stdout, /^ok +Node\.js +24\.[\s\S]*\nNothing needs fixing\.\n$/)
})

test('a problem is reported with its fix, and the exit code is 1', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const port = await takenPort(t, 'hello\n')
  const env = { LISTD_GATEWAY_PORT: String(port), LISTD_NATS_URL: `nats://me:canary@127.0.0.1:${port}` }
  const { code, of, reports } = await examine(run, env)
  t.is(code, 1)
  t.like(of('ports'), [{ state: 'wrong', message: `${port} (gateway.port) is in use by another program` }])
  t.like(of('nats-server'), [{ state: 'wrong', message: `no NATS server answers at 127.0.0.1:${port}` }])
  t.false(JSON.stringify(reports).includes('canary'))
  const table = await run(['doctor'], { env })
  t.regex(table.stdout, /WRONG +ports .*\n +-> stop it, or choose another port with LISTD_GATEWAY_PORT\n/)
  t.regex(table.stdout, /2 things need fixing\.\n$/)
  const noProgram = await examine(run, { LISTD_NATS_SERVER_PATH: join(dataDir, 'none') })
  t.like(noProgram.of('nats-server'), [{ state: 'wrong' }])
  const twice = await examine(run, { LISTD_GATEWAY_OPS_PORT: '29999', LISTD_IDENTITY_OPS_PORT: '29999' })
  t.regex(twice.of('ports')[0]?.message ?? '', /gateway\.opsPort and identity\.opsPort are both 29999/)
})

test('start options that differ from the settings are detected while listd runs', async (t) => {
  const { run, dataDir } = await commandLine(t)
  t.teardown((await lockDataDirectory(dataDir)).release)
  const free = await examine(run, { LISTD_GATEWAY_PORT: String(await freePort()) })
  t.regex(
    free.of('ports')[0]?.message ?? '',
    /^\d+ \(gateway\.port\) is free, so the running listd was started with another/,
  )
  const gateway = createServer((_, response) => response.end('{"status":"ok"}')).listen(await freePort())
  await once(gateway, 'listening')
  t.teardown(() => gateway.close())
  const { port } = gateway.address() as AddressInfo
  const { of } = await examine(run, { LISTD_GATEWAY_PORT: String(port) })
  t.like(of('ports'), [{ state: 'ok', message: `${port} (gateway.port) is used by the running listd` }])
  const hasOuter = Object.values(networkInterfaces())
    .flat()
    .some((address) => address && !address.internal && !address.scopeid)
  if (hasOuter)
    t.regex(of('public address')[0]?.message ?? '', /but the gateway listens on .*: other machines may reach it/)
  else t.log('left out: this machine has no address for others')
})

test('every error of the configuration is reported', async (t) => {
  const { run } = await commandLine(t)
  const env = { LISTD_GATEWAY_POTR: '1', LISTD_PASSWORDS_MEMORY_MIB: '1' }
  const { code, of } = await examine(run, env)
  t.is(code, 1)
  t.is(of('configuration').length, 2)
  t.true(of('configuration').some(({ fix }) => fix?.includes('did you mean LISTD_GATEWAY_PORT?')))
})

test('another master key, a lost one, and a newer database are detected', async (t) => {
  const { run, database, dataDir } = await commandLine(t)
  await run(['migrate'])
  const db = await database()
  await leaveMasterKey(dataDir, db)
  const good = await examine(run)
  t.is(good.code, 0)
  t.regex(good.of('master key')[0]?.message ?? '', /^[0-9a-f]{8}, which seals 0 secrets$/)
  const wrongKey = await examine(run, { LISTD_SECRETS_MASTER_KEY: 'A'.repeat(43) })
  t.like(wrongKey.of('master key'), [{ state: 'wrong' }])
  t.regex(
    wrongKey.of('master key')[0]?.message ?? '',
    /^the key [0-9a-f]{8} is missing, and 0 secrets in the database are/,
  )
  await rm(join(dataDir, 'master-key'), { force: true })
  const lost = await examine(run, { LISTD_SECRETS_MASTER_KEY: '' })
  t.like(lost.of('master key'), [{ state: 'wrong' }])
  t.regex(
    lost.of('master key')[0]?.message ?? '',
    testBackend === 'sqlite' ? /^the key [0-9a-f]{8} is missing/ : /^there is none$/,
  )

  await putSetting(db, 'compatibleFrom', '99')
  t.like((await examine(run)).of('database'), [{ state: 'wrong' }])
})

test('a data directory that others can access is reported, and a path that is not a directory', async (t) => {
  const { run, dataDir } = await commandLine(t)
  await run(['migrate'])
  await chmod(dataDir, 0o755)
  t.is((await examine(run)).code, 0)
  await writeFile(join(dataDir, 'stray'), '', { mode: 0o644 })
  await chmod(join(dataDir, 'stray'), 0o644)
  const { of, code } = await examine(run)
  t.is(code, 1)
  t.regex(of('data directory')[0]?.message ?? '', /other users of this machine can access stray/)
  t.regex(of('data directory')[0]?.fix ?? '', /chmod -R go=/)
  const file = join(await testFolder(t), 'file')
  await writeFile(file, '')
  t.like((await examine(run, { LISTD_DATA_DIR: file })).of('data directory'), [{ state: 'wrong' }])
})

test('an unusable data directory is one finding, not one for each check that needs it', async (t) => {
  const { run } = await commandLine(t)
  const file = join(await testFolder(t), 'file')
  await writeFile(file, '')
  for (const dataDir of [file, join(file, 'data')]) {
    const { reports, code } = await examine(run, { LISTD_DATA_DIR: dataDir, LISTD_DATABASE_URL: '' })
    t.is(code, 1)
    const wrong = reports.filter(({ state }) => state === 'wrong')
    t.like(wrong, { length: 1, 0: { check: 'data directory', fix: 'set another one with LISTD_DATA_DIR' } })
    t.regex(wrong[0]?.message ?? '', /file is not a directory$/)
    const left = reports.filter(({ message }) => message === 'not checked: the data directory cannot be used')
    t.true(left.some(({ check }) => check === 'database') && left.some(({ check }) => check === 'disk space'))
  }
})

for (const kind of ['postgres', 'mysql']) {
  test(`an unavailable ${kind} server is reported once, with what to do`, async (t) => {
    const { run } = await commandLine(t)
    const url = `${kind}://listd:geheim-12345@127.0.0.1:${await freePort()}/listd`
    const env = { LISTD_DATABASE_URL: url, LISTD_SECRETS_MASTER_KEY: createMasterKey() }
    const { code, of, reports } = await examine(run, env)
    t.is(code, 1)
    t.like(of('database'), [{ state: 'wrong', fix: 'start the server, or correct LISTD_DATABASE_URL' }])
    t.like(of('master key'), [{ state: 'note', fix: 'see above' }])
    t.like(of('first user'), [{ state: 'note', fix: 'see above' }])
    t.false(JSON.stringify(reports).includes('geheim'))
  })
}

test('with a database server the master key must be configured', async (t) => {
  const { run } = await commandLine(t)
  const env = { LISTD_DATABASE_URL: 'postgres://listd@127.0.0.1:1/listd', LISTD_SECRETS_MASTER_KEY: '' }
  t.like((await examine(run, env)).of('master key'), [{ state: 'wrong', message: 'secrets.masterKey is not set' }])
})

test('a folder in the place of the master key is reported before there is a database', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const path = join(dataDir, 'master-key')
  await mkdir(path)
  const [report, ...others] = (await examine(run)).of('master key')
  t.is(report?.state, 'wrong')
  t.true(report?.message.startsWith(`${path} is a folder, and must be a file; replace `))
  t.deepEqual(others, [])
})

test('a NATS server that rejects the credentials is wrong, and nothing shows them', async (t) => {
  const { run } = await commandLine(t)
  const nats = await testNats(t, { user: 'listd', password: 'geheim-4711' })
  const url = new URL(nats.url)
  const good = await examine(run, { LISTD_NATS_URL: url.href })
  // An old version is only a note.
  t.not(good.of('nats-server')[0]?.state, 'wrong')
  url.password = 'geheim-4712'
  const { of, reports } = await examine(run, { LISTD_NATS_URL: url.href })
  t.like(of('nats-server'), [{ state: 'wrong', message: 'NATS cannot be used: it rejects the credentials' }])
  t.false(JSON.stringify(reports).includes('geheim'))
})

test('files of secrets that everyone may read are reported, but not certificate authorities without keys', async (t) => {
  const folder = await testFolder(t)
  const [key, authority] = [join(folder, 'key'), join(folder, 'ca.pem')]
  await writeFile(key, `${createMasterKey()}\n`, { mode: 0o644 })
  await chmod(key, 0o644)
  await writeFile(authority, 'no certificate')
  await chmod(authority, 0o644)
  const run = commandsWith({
    LISTD_DATA_DIR: folder,
    LISTD_SECRETS_MASTER_KEY_FILE: key,
    LISTD_WEBHOOKS_CA_FILE: authority,
  })
  const { of } = await examine(run)
  t.like(of('secret files'), [{ state: 'note', message: `every user of this machine may read ${key}` }])
  t.like(of('outgoing requests').at(-1), { state: 'wrong', message: `${authority} has no readable certificate` })
})

test('a database that cannot store data is wrong, and the doctor leaves nothing in one that can', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  const db = await database()
  const settings = () => db.all('select name, value from settings order by name')
  const before = await settings()
  t.like((await examine(run)).of('database writes'), [{ state: 'ok', message: 'data can be stored' }])
  t.deepEqual(await settings(), before)
  await db.run('alter table settings rename column value to other')
  const { of } = await examine(run)
  await db.run('alter table settings rename column other to value')
  t.is(of('database writes')[0]?.state, 'wrong')
})
