import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import type { LocalServer } from '../../support/backends/private-server.ts'
import { localServer, restartableServer } from '../../support/backends/restartable-server.ts'
import { appointDatabase, databaseSettings } from '../../support/databases/database.ts'
import { createApi, served } from '../../support/http/api.ts'
import { makeCredentials } from '../../support/http/credentials.ts'
import { login, registerIdentity } from '../../support/identity/as-identity.ts'
import { startNats } from '../../support/nats/nats.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { listdProgram } from '../../support/processes/listd-program.ts'
import { createRunner, endOf, type Service } from '../../support/processes/runner.ts'
import { hasSystemd, listenAsSystemd } from '../../support/processes/systemd.ts'
import { showOnFailure } from '../../support/test-context/failure-log.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const run = promisify(execFile)
const services: readonly Service[] = ['gateway', 'identity', 'webhook-dispatcher']
const onServer = localServer === null ? test.skip : test
const page = await readFile(join(import.meta.dirname, '../../../docs/recipes/two-machines.md'), 'utf8')

/** The first block of a language below a heading of the page. */
function blockOf(heading: string, language: string): string {
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [, block] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section) ?? []
  if (block === undefined) throw new Error(`the page has no block of ${language} below ${heading}`)
  return block
}

/** The servers of the page, and the content of /etc/listd of a machine of listd, in a folder. */
async function setUp(t: ExecutionContext, server: LocalServer) {
  const folder = await testFolder(t)
  const at = (file: string) => join(folder, file)
  const certificates = blockOf('Certificates', 'sh').replaceAll('$name.example.com', 'localhost')
  await run('bash', ['-euc', certificates], { cwd: folder })
  const [cert = '', key = ''] = await Promise.all(['db.pem', 'db-key.pem'].map((file) => readFile(at(file), 'utf8')))
  const { url } = await restartableServer(t, server, { cert, key })
  const natsConfig = blockOf('NATS', 'nats').replace('/var/lib/nats', at('nats')).replaceAll('/etc/nats', folder)
  await writeFile(at('nats.conf'), natsConfig)
  const nats = await startNats({ jetStream: false, config: at('nats.conf') })
  t.teardown(nats.dispose)

  t.teardown(appointDatabase(folder, url))
  const lines = blockOf('Secrets and settings', 'ini').replaceAll('/etc/listd', folder).trim().split('\n')
  const settings: Record<string, string> = {
    ...Object.fromEntries(lines.map((line) => line.split(/=(.*)/))),
    ...databaseSettings(folder),
    LISTD_DATABASE_URL: url.replace('127.0.0.1', 'localhost'),
    LISTD_NATS_URL: nats.url.replace('nats://127.0.0.1', 'tls://listd:PASSWORD@localhost'),
    LISTD_GATEWAY_PORT: String(await freePort()),
    LISTD_DATA_DIR: folder,
  }
  return { folder, settings }
}

/** Runs a command of listd. @returns all that it printed */
async function listd(command: string, env: Record<string, string>): Promise<string> {
  const options = { env: { PATH: process.env.PATH, ...env } }
  const { stdout, stderr } = await run(listdProgram, [command], options).catch((error) => error)
  return stdout + stderr
}

onServer(
  'the recipe for two machines: listd uses Postgres and NATS over TLS, as a user of NATS with its own names',
  async (t) => {
    if (!localServer) return
    const { folder, settings } = await setUp(t, localServer)
    t.regex(await listd('migrate', settings), /schema/)
    const { socket, systemd } = await listenAsSystemd(t)
    const runner = createRunner(folder, { ...settings, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '2000000' })
    showOnFailure(t, 'listd', () => runner.output.lines)
    const processes = await Promise.all(services.map((service) => runner.startService(service)))
    t.teardown(() => Promise.all(processes.map((child) => child.kill() && endOf(child))))
    if (hasSystemd) for (const word of ['READY', 'WATCHDOG']) await systemd.printed(new RegExp(`(${word}=1[^]*){3}`))

    const { token } = await makeCredentials(folder)
    const api = createApi(() => `http://127.0.0.1:${settings.LISTD_GATEWAY_PORT}`, { 'x-api-token': token })
    const ada = { name: 'Ada' }
    await registerIdentity({ api }, ada)
    t.is((await served(() => login(api, ada))).status, 200)
    t.like((await api('GET', '/health/ready')).json, { status: 'ok' })
    const ofNats = runner.output.logged().filter(({ event }) => /^(nats|stream|bus)\./.test(String(event)))
    t.deepEqual([...new Set(ofNats.map(({ event }) => event))], ['nats.connected'])

    const { NODE_EXTRA_CA_CERTS: _, ...without } = settings
    t.notRegex(await listd('doctor', settings), /cannot be used/)
    t.regex(await listd('doctor', without), /NATS cannot be used: .*UNABLE_TO_VERIFY/)
  },
)
