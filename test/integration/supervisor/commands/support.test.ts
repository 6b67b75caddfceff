import { randomBytes } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import test from 'ava'
import { generateToken } from '#shared/crypto/token.ts'
import { testNats } from '../../../support/nats/nats.ts'
import { commandLine } from '../../../support/processes/command-line.ts'
import { leaveMasterKey } from '../../../support/processes/master-key.ts'
import { assertNoSecrets } from '../../../support/test-context/canaries.ts'

/** The files of an archive by name. Each has a header of 512 bytes, and is padded to a multiple of 512 bytes. */
async function contents(archive: string): Promise<Record<string, string>> {
  const bytes = gunzipSync(await readFile(archive))
  const files: Record<string, string> = {}
  for (let at = 0; bytes[at] !== 0; ) {
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8)
    const [, name = ''] = /\/([^\0]*)/.exec(bytes.toString('latin1', at, at + 100)) ?? []
    files[name] = bytes.toString('utf8', at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

test('one archive has versions, settings, checks, the database and the log, and no secret', async (t) => {
  const { run, dataDir, database } = await commandLine(t)
  const nats = await testNats(t)
  await run(['migrate'])
  await run(['user', 'create', '--email', 'me@example.com', '--password-stdin'], { input: 'correct horse battery' })
  const token = (await run(['token', 'create', '--allow-all'])).stdout.trim()
  const db = await database()
  await leaveMasterKey(dataDir, db)
  const key = (await readFile(join(dataDir, 'master-key'), 'utf8')).trim()
  const log = join(dataDir, 'listd.log')
  await writeFile(
    log,
    `${'x'.repeat(1024 * 1024)}\nready\n  set up http://x/setup#token=${generateToken('setup')}\nkey ${key}\n`,
  )
  const env = {
    LISTD_NATS_URL: nats.url,
    LISTD_ADMIN_EMAIL: 'me@example.com',
    LISTD_ADMIN_PASSWORD: 'canary-password',
    LISTD_SECRETS_MASTER_KEY: key,
  }
  const output = join(dataDir, 'report.tar.gz')
  const { code, stdout, stderr } = await run(['support', '--output', output, '--log', log], { env })
  t.deepEqual([code, stdout], [0, `${output}\n`], stderr)
  t.is((await stat(output)).mode & 0o777, 0o600)

  const files = await contents(output)
  const { versions, configuration, doctor, database: figures } = parsed(files)
  t.like(versions, { node: process.version })
  t.regex(versions.listd, /^\d+\.\d+\.\d+ .*schema \d+/)
  t.is(configuration.find(({ key }: { key: string }) => key === 'admin.password').value, '[redacted]')
  t.true(doctor.some(({ check }: { check: string }) => check === 'nats-server'))
  t.like(figures, { schema: { state: 'fits' }, rows: { users: 1, tokens: 1, items: 0 } })
  t.regex(figures.server, /\d+\.\d+/)
  t.true(Object.values<number>(figures.bytes).every((bytes) => bytes >= 0) && Object.keys(figures.bytes).length > 0)
  t.is(files['log.txt'], 'ready\n  set up http://x/setup#token=[redacted]\nkey [redacted]\n')
  const all = JSON.stringify(files)
  assertNoSecrets('the archive', all)
  for (const secret of [token, key, 'canary-password']) t.false(all.includes(secret))

  t.regex((await run(['support', '--output', output], { env })).stderr, /report\.tar\.gz exists already\./)
})

test('it contains no key from the data directory or a rotation, and no NATS credentials', async (t) => {
  const { run, dataDir } = await commandLine(t)
  // Without its "=" at the end, a key has no recognizable form.
  const keys = Array.from({ length: 3 }, () => randomBytes(32).toString('base64url'))
  await writeFile(join(dataDir, 'master-key'), `${keys[0]}\n${keys[1]}\n`)
  await writeFile(join(dataDir, 'master-key.0a1b2c3d'), `${keys[2]}\n`)
  const seed = `SUA${'X2'.repeat(27)}B`
  const [creds, log] = [join(dataDir, 'nats.creds'), join(dataDir, 'listd.log')]
  await writeFile(creds, `-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`)
  const unknown = randomBytes(32).toString('base64')
  await writeFile(log, [...keys, seed, unknown].map((secret) => `have ${secret}, thanks\n`).join(''))
  const output = join(dataDir, 'report.tar.gz')
  const env = { LISTD_NATS_CREDS_FILE: creds }
  t.is((await run(['support', '--output', output, '--log', log], { env })).code, 0)
  t.is((await contents(output))['log.txt'], 'have [redacted], thanks\n'.repeat(5))
})

test('for a listd that does not start it has everything that can be collected', async (t) => {
  const { run, dataDir } = await commandLine(t)
  const output = join(dataDir, 'report.tar.gz')
  const key = randomBytes(32).toString('base64url')
  await writeFile(join(dataDir, 'master-key'), `${key}\n`)
  const settings = join(dataDir, 'settings.json')
  await writeFile(settings, JSON.stringify({ admin: { password: 'canary-of-the-file' } }))
  const env = {
    LISTD_CONFIG: settings,
    LISTD_GATEWAY_PORT: 'many',
    LISTD_DATABASE_URL: 'nonsense://me:canary-password@host',
    LISTD_ADMIN_PASSWORD: 'canary-overriding',
    LISTD_ADMIN_PASWORD: 'canary-misspelled',
  }
  const log = join(dataDir, 'listd.log')
  const secrets = [key, 'canary-password', 'canary-of-the-file', 'canary-overriding', 'canary-misspelled']
  await writeFile(log, secrets.map((secret) => `have ${secret}, thanks\n`).join(''))
  t.is((await run(['support', '--output', output, '--log', log], { env })).code, 0)
  const files = await contents(output)
  t.is(files['log.txt'], 'have [redacted], thanks\n'.repeat(secrets.length))
  t.regex(files['configuration.json'] ?? '', /^Not available: the configuration has errors, which doctor\.json/)
  const { doctor, database } = parsed(files)
  t.true(doctor.some(({ message }: { message: string }) => message.includes('gateway.port must be')))
  t.is(database, 'not read: the configuration has errors, which doctor.json lists')
  assertNoSecrets('the archive', JSON.stringify(files))
})

function parsed(files: Record<string, string>) {
  const json = Object.entries(files).filter(([, text]) => /^["[{]/.test(text))
  return Object.fromEntries(json.map(([name, text]) => [name.replace('.json', ''), JSON.parse(text)]))
}
