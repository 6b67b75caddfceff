import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { putSetting } from '#shared/data/settings.ts'
import { type CommandLine, commandLine, settingsOf } from '../support/command-line.ts'
import { testBackend } from '../support/database.ts'
import { testFolder } from '../support/folder.ts'
import { testListd } from '../support/listd.ts'

type Finding = { check: string; state: 'ok' | 'note' | 'wrong'; says: string; mend?: string }

async function examine(run: CommandLine['run'], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run(['doctor', '--json'], { env: { LISTD_GATEWAY_PORT: '0', ...env } })
  if (stdout === '') throw new Error(stderr)
  const findings: Finding[] = JSON.parse(stdout)
  const of = (check: string) => findings.filter((finding) => finding.check === check)
  return { code, findings, of, wrong: findings.filter(({ state }) => state === 'wrong') }
}

test('before the first start nothing is wrong, nothing is made, and what is missing is told', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const { code, wrong, of } = await examine(run)
  t.deepEqual(wrong, [])
  t.is(code, 0)
  for (const check of ['Node.js', 'packages', 'configuration', 'nats-server', 'disk space']) t.is(of(check).length, 1)
  t.like(of('database'), [{ state: 'note' }])
  t.regex(of('first user')[0]?.mend ?? '', /link .*listd user create/)
  t.deepEqual(await readdir(dataDir), [])
  const missing = join(dataDir, 'later')
  t.like((await examine(run, { LISTD_DATA_DIR: missing })).of('data directory'), [{ state: 'note' }])
  t.false(existsSync(missing))
  const table = await run(['doctor'], { env: { LISTD_GATEWAY_PORT: '0' } })
  t.regex(table.stdout, /^ok +Node\.js +24\.[\s\S]*\nNothing must be mended\.\n$/)
})

test('a listd that runs is recognized, and goes on', async (t) => {
  t.timeout(60_000)
  const listd = await testListd(t)
  const { run } = await commandLine(t)
  const env = { ...settingsOf(listd.dataDir), LISTD_GATEWAY_PORT: new URL(listd.address).port }
  const { code, wrong, of } = await examine(run, env)
  t.deepEqual(wrong, [])
  t.is(code, 0)
  t.regex(of('data directory')[0]?.says ?? '', /a listd runs on it/)
  t.regex(of('ports')[0]?.says ?? '', /served by the listd that runs/)
  t.regex(of('master key')[0]?.says ?? '', /the one this database was set up with/)
  const stranger = await examine(run, { LISTD_GATEWAY_PORT: env.LISTD_GATEWAY_PORT })
  t.regex(stranger.of('ports')[0]?.says ?? '', /taken by another listd/)
  t.is((await listd.api('GET', '/lists')).status, 200)
})

test('what is wrong is told with how to mend it, and the exit code is 1', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const other = createServer((socket) => socket.end('hello\n')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as AddressInfo
  const env = { LISTD_GATEWAY_PORT: String(port), LISTD_NATS_URL: `nats://me:canary@127.0.0.1:${port}` }
  const { code, of, findings } = await examine(run, env)
  t.is(code, 1)
  t.like(of('ports'), [{ state: 'wrong', says: `${port} (gateway.port) is taken by another program` }])
  t.like(of('nats-server'), [{ state: 'wrong', says: `no NATS server answers at 127.0.0.1:${port}` }])
  t.false(JSON.stringify(findings).includes('canary'))
  const table = await run(['doctor'], { env })
  t.regex(table.stdout, /WRONG +ports .*\n +-> stop it, or choose another port with LISTD_GATEWAY_PORT\n/)
  t.regex(table.stdout, /2 things must be mended\.\n$/)
  const noProgram = await examine(run, { LISTD_NATS_SERVER_PATH: join(dataDir, 'none') })
  t.like(noProgram.of('nats-server'), [{ state: 'wrong' }])
  const twice = await examine(run, { LISTD_GATEWAY_OPS_PORT: '29999', LISTD_IDENTITY_OPS_PORT: '29999' })
  t.regex(twice.of('ports')[0]?.says ?? '', /identity\.opsPort is 29999, which another setting has/)
})

test('every fault of the configuration is told', async (t) => {
  const { run } = await commandLine(t)
  const env = { LISTD_GATEWAY_POTR: '1', LISTD_PASSWORDS_MEMORY_MIB: '1' }
  const { code, of } = await examine(run, env)
  t.is(code, 1)
  t.is(of('configuration').length, 2)
  t.true(of('configuration').some(({ mend }) => mend?.includes('did you mean LISTD_GATEWAY_PORT?')))
})

test('another master key, a lost one, and a newer database are found', async (t) => {
  t.timeout(60_000)
  const listd = await testListd(t)
  await listd.stop()
  const { run, database } = await commandLine(t)
  const env = settingsOf(listd.dataDir)
  t.is((await examine(run, env)).code, 0)
  const wrongKey = await examine(run, { ...env, LISTD_SECRETS_MASTER_KEY: 'A'.repeat(43) })
  t.like(wrongKey.of('master key'), [{ state: 'wrong', says: 'it is not the one this database was set up with' }])
  await rm(join(listd.dataDir, 'master-key'), { force: true })
  const lost = await examine(run, { ...env, LISTD_SECRETS_MASTER_KEY: '' })
  t.like(lost.of('master key'), [{ state: 'wrong' }])
  t.regex(lost.of('master key')[0]?.says ?? '', testBackend === 'sqlite' ? /^it is gone$/ : /^there is none$/)

  await run(['migrate'])
  await putSetting(await database(), 'compatibleFrom', '99')
  t.like((await examine(run)).of('database'), [{ state: 'wrong' }])
})

test('a data directory that others may look into is found, and one that is no folder', async (t) => {
  const { run, dataDir } = await commandLine(t)
  await run(['migrate'])
  await chmod(dataDir, 0o755)
  t.is((await examine(run)).code, 0)
  await writeFile(join(dataDir, 'stray'), '')
  await chmod(join(dataDir, 'stray'), 0o644)
  const { of, code } = await examine(run)
  t.is(code, 1)
  t.regex(of('data directory')[0]?.says ?? '', /other users of this machine may get at stray/)
  t.regex(of('data directory')[0]?.mend ?? '', /chmod -R go=/)
  const file = join(await testFolder(t), 'file')
  await writeFile(file, '')
  t.like((await examine(run, { LISTD_DATA_DIR: file })).of('data directory'), [{ state: 'wrong' }])
})
