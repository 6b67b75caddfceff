import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { settingsOf } from '../support/command-line.ts'
import { emptyDirectory } from '../support/database.ts'
import { type Listd, testListd } from '../support/listd.ts'
import { isAlive, natsServersOf } from '../support/nats-processes.ts'
import { testProcess } from '../support/process.ts'
import { processesOn } from '../support/processes.ts'
import type { Service } from '../support/runner.ts'
import { secretsOf } from '../support/secrets-of.ts'
import { until } from '../support/until.ts'

const main = join(import.meta.dirname, '../../services/supervisor/main.ts')
const services: readonly Service[] = ['gateway', 'webhook-dispatcher', 'identity']

/** Whether the gateway answers that it is ready and nothing is degraded. */
async function isWell({ address }: Listd): Promise<boolean> {
  const response = await fetch(`${address}/health/ready`).catch(() => null)
  return response !== null && (await response.text()).includes('"status":"ok"')
}

test.serial('the banner has at most 8 lines, and its curl line works when pasted', async (t) => {
  const listd = await testListd(t)
  const lines = listd.output().split('\n')
  const banner = lines.slice(lines.findIndex((line) => line.startsWith('listd is ready')))
  t.true(banner.length <= 8 && banner.every((line) => !line.startsWith('{')), banner.join('\n'))
  t.true(banner.some((line) => line.includes(listd.dataDir)))
  const curl = banner.at(-1)?.replace('try it', '').trim() ?? ''
  t.regex(curl, /^curl http:/)
  t.like(JSON.parse(execFileSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' })), { status: 'ok' })
})

test.serial('a second start on the same data directory is refused, and the first goes on', async (t) => {
  const listd = await testListd(t)
  const env = { ...process.env, ...settingsOf(listd.dataDir), LISTD_GATEWAY_PORT: '0' }
  const second = testProcess(t, [process.execPath, main, 'start'], { env })
  t.is((await second.ended).code, 1)
  t.is(
    second.stderr(),
    `listd: another listd runs on the data directory ${listd.dataDir}. ` +
      'Stop it first, or set another one with LISTD_DATA_DIR.\n',
  )
  t.true(await isWell(listd))
  t.is(natsServersOf(listd.dataDir).length, 1)
})

test.serial('after a kill of the supervisor all it started ends within 2 s', async (t) => {
  const listd = await testListd(t)
  await listd.kill()
  await until(async () => processesOn(listd.dataDir).length === 0, { withinMs: 2_500, what: 'all gone' })
  t.pass()
})

test.serial('after a kill of the supervisor a new start works at once, with one nats-server', async (t) => {
  const listd = await testListd(t)
  const before = natsServersOf(listd.dataDir)
  await listd.kill()
  const startedAt = performance.now()
  await listd.restart()
  t.true(performance.now() - startedAt < 5_000)
  t.true(await isWell(listd))
  t.is(natsServersOf(listd.dataDir).length, 1)
  t.notDeepEqual(natsServersOf(listd.dataDir), before)
})

test.serial('with a port of its own, too, a killed listd is followed by the next at once', async (t) => {
  const port = String(20_000 + (process.pid % 10_000))
  const listd = await testListd(t, { env: { LISTD_GATEWAY_PORT: port } })
  await listd.kill()
  await listd.restart()
  t.is(listd.address, `http://127.0.0.1:${port}`)
  t.true(await isWell(listd))
})

test.serial('a nats-server that dies is started again on its port, and the services find it', async (t) => {
  const listd = await testListd(t)
  const [before = 0] = natsServersOf(listd.dataDir)
  const command = listd.logged('connected to NATS')[0]?.server
  process.kill(before, 'SIGKILL')
  await until(async () => !isAlive(before) && natsServersOf(listd.dataDir).length === 1, {
    what: 'another nats-server',
  })
  await until(() => isWell(listd), { what: 'readiness' })
  t.is(listd.logged('connected to NATS').at(-1)?.server, command)
  t.true(listd.logged('"process":"nats-server"').some(({ level }) => level === 'warn'))
})

test.serial(
  'when something foreign takes the port of a dead nats-server, the next one and the services move',
  async (t) => {
    const listd = await testListd(t)
    const port = Number(String(listd.logged('connected to NATS')[0]?.server).split(':')[1])
    listd.supervisor.kill('SIGSTOP')
    listd.signal('nats-server', 'SIGKILL')
    await until(async () => natsServersOf(listd.dataDir).length === 0, { what: 'the end of nats-server' })
    const foreign = createServer().listen(port, '127.0.0.1')
    await once(foreign, 'listening')
    t.teardown(() => foreign.close())
    listd.supervisor.kill('SIGCONT')
    const moved = () =>
      new Set(listd.logged('connected to NATS').filter(({ server }) => !String(server).endsWith(`:${port}`)))
    await until(async () => moved().size >= services.length, { what: 'every service on another port' })
    await until(() => isWell(listd), { what: 'readiness' })
    t.pass()
  },
)

test.serial('what it makes in the data directory is for its owner alone', async (t) => {
  const { dataDir } = await testListd(t)
  const entries = await readdir(dataDir, { withFileTypes: true, recursive: true })
  t.true(entries.length > 5)
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    t.is((await stat(path)).mode & 0o077, 0, path)
  }
})

test.serial('no secret stands in an argument or in the log', async (t) => {
  const listd = await testListd(t)
  const secrets = await secretsOf(listd)
  await listd.api('GET', '/lists/none')
  await listd.user('GET', '/webhooks')
  const seen = [listd.output(), ...processesOn(listd.dataDir).map(({ command }) => command)].join('\n')
  for (const secret of secrets) t.false(seen.includes(secret))
})

test.serial('a service that dies is started again, and the next dispatcher knows whom it replaces', async (t) => {
  const listd = await testListd(t)
  for (const service of services) {
    const pid = listd.pidOf(service)
    const instance = listd.logged('"msg":"started"').find((line) => line.pid === pid)?.instance
    listd.signal(service, 'SIGKILL')
    await listd.replaced(service, pid)
    const [{ command } = { command: '' }] = processesOn(listd.dataDir).filter(
      (process) => process.pid === listd.pidOf(service),
    )
    t.true(command.includes(`--replaces ${instance}`), command)
  }
  await until(() => isWell(listd), { what: 'readiness' })
  t.pass()
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test.serial(`${signal} drains gateway, dispatcher, identity and nats-server, in this order`, async (t) => {
    const listd = await testListd(t)
    const ended = new Promise((resolve) => listd.supervisor.on('exit', (code) => resolve(code)))
    const startedAt = performance.now()
    listd.supervisor.kill(signal)
    t.is(await ended, 0)
    t.true(performance.now() - startedAt < 15_000)
    const order = listd.logged().filter(({ msg }) => msg === 'ending' || msg === 'ended')
    t.deepEqual(
      order.map(({ service, msg }) => `${service} ${msg}`),
      services.flatMap((service) => [`${service} ending`, `${service} ended`]),
    )
    t.deepEqual(processesOn(listd.dataDir), [])
  })
}

test.serial('services that are frozen are killed, and the drain still ends within 15 s', async (t) => {
  const listd = await testListd(t)
  for (const service of services) listd.signal(service, 'SIGSTOP')
  const startedAt = performance.now()
  t.is(await listd.stop(), 0)
  t.true(performance.now() - startedAt < 15_000)
  t.deepEqual(processesOn(listd.dataDir), [])
})

test.serial('a second signal kills at once what is left', async (t) => {
  const listd = await testListd(t)
  listd.signal('gateway', 'SIGSTOP')
  listd.supervisor.kill('SIGTERM')
  await until(async () => listd.output().includes('"draining"'), { what: 'draining' })
  const startedAt = performance.now()
  t.is(await listd.stop(), 1)
  t.true(performance.now() - startedAt < 1_000)
  t.deepEqual(processesOn(listd.dataDir), [])
})

test.serial('a signal while it starts ends it, and nothing stays behind', async (t) => {
  const dataDir = await emptyDirectory(t)
  const env = { ...process.env, ...settingsOf(dataDir), LISTD_GATEWAY_PORT: '0' }
  const starting = testProcess(t, [process.execPath, main, 'start'], { env })
  await until(async () => natsServersOf(dataDir).length === 1, { what: 'a nats-server' })
  starting.child.kill('SIGTERM')
  await starting.ended
  await until(async () => processesOn(dataDir).length === 0, { withinMs: 2_500, what: 'all gone' })
  t.notRegex(starting.stdout(), /listd is ready/)
})
