import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { findSetting, putSetting } from '#shared/data/settings/settings.ts'
import { until } from '../../support/assertions/until.ts'
import { anotherConnection, emptyDirectory } from '../../support/databases/database.ts'
import { isAlive, natsGuardsOf, natsServersOf } from '../../support/nats/nats-processes.ts'
import { settingsOf } from '../../support/processes/command-line.ts'
import { bannerIn } from '../../support/processes/first-run.ts'
import { type Listd, testListd } from '../../support/processes/listd.ts'
import { listdProgram } from '../../support/processes/listd-program.ts'
import { testProcess } from '../../support/processes/process.ts'
import { processesOn, untilGone } from '../../support/processes/processes.ts'
import type { Service } from '../../support/processes/runner.ts'
import { secretsOf } from '../../support/processes/secrets-of.ts'
import type { LogLine } from '../../support/test-context/output.ts'
import { shared } from '../../support/test-context/shared.ts'

const services: readonly Service[] = ['gateway', 'webhook-dispatcher', 'identity']
const patience = { withinMs: 60_000 }

/** A port of this test process, below the ports that the system assigns, so that no program uses it between two starts. */
const port = 20_000 + (process.pid % 10_000)
const processes = shared((t) => testListd(t, { env: { LISTD_GATEWAY_PORT: `${port}` } }))

/** The listd that all tests of this file share; it is restarted if the previous test has ended it. */
async function running(): Promise<Listd> {
  const listd = processes()
  if (listd.hasEnded()) await listd.restart()
  await untilWell(listd)
  return listd
}

/** Waits until the gateway is ready and nothing is degraded. */
function untilWell({ address }: Listd): Promise<void> {
  const isWell = async () => {
    const response = await fetch(`${address}/health/ready`).catch(() => null)
    return response !== null && (await response.text()).includes('"status":"ok"')
  }
  return until(isWell, { ...patience, what: 'readiness' })
}

/** Log lines from now on. */
function logFrom({ logged }: Listd): (text?: string) => LogLine[] {
  const before = logged().length
  return (text = '') => {
    const after = logged().slice(before)
    return after.filter((line) => JSON.stringify(line).includes(text))
  }
}

function killEach(pids: readonly number[]): void {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
}

test.serial('the banner has at most 8 lines, and its curl line works when pasted', async (t) => {
  const listd = await running()
  const banner = bannerIn(listd.output())
  t.true(banner.length <= 8 && banner.every((line) => !line.startsWith('{')), banner.join('\n'))
  t.true(banner.some((line) => line.includes(listd.dataDir)))
  const curl = banner.at(-1)?.replace('try it', '').trim() ?? ''
  t.regex(curl, /^curl http:/)
  t.like(JSON.parse(execFileSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' })), { status: 'ok' })
})

test.serial('a second start on the same data directory is rejected, and the first continues', async (t) => {
  const listd = await running()
  const env = { ...process.env, ...settingsOf(listd.dataDir), LISTD_GATEWAY_PORT: '0' }
  const second = testProcess(t, [listdProgram, 'start'], { env })
  t.is((await second.ended).code, 75)
  t.is(
    second.stderr(),
    `listd: another listd runs on the data directory ${listd.dataDir}. ` +
      'Stop it first, or set another one with LISTD_DATA_DIR.\n',
  )
  await untilWell(listd)
  t.is(natsServersOf(listd.dataDir).length, 1)
})

test.serial('everything that it creates in the data directory is only for its owner', async (t) => {
  const { dataDir } = await running()
  const entries = await readdir(dataDir, { withFileTypes: true, recursive: true })
  t.true(entries.length > 5)
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    t.is((await stat(path)).mode & 0o077, 0, path)
  }
})

test.serial('no secret is in an argument or in the log', async (t) => {
  const listd = await running()
  const secrets = await secretsOf(listd)
  await listd.api('GET', '/lists/none')
  await listd.user('GET', '/webhooks')
  const seen = [listd.output(), ...processesOn(listd.dataDir).map(({ command }) => command)].join('\n')
  for (const secret of secrets) t.false(seen.includes(secret))
})

test.serial('a dead service is restarted, and the next dispatcher knows which instances it replaces', async (t) => {
  const listd = await running()
  for (const service of services) {
    const pid = listd.pidOf(service)
    const instance = listd.logged('service.started').findLast((line) => line.pid === pid)?.instance
    listd.signal(service, 'SIGKILL')
    await listd.replaced(service, pid)
    const [{ command } = { command: '' }] = processesOn(listd.dataDir).filter(
      (process) => process.pid === listd.pidOf(service),
    )
    t.true(command.includes(`--replaces ${instance}`), command)
  }
  await untilWell(listd)
})

test.serial(
  'services end when a newer listd has upgraded the database beyond them, and start once they support it',
  async (t) => {
    const listd = await running()
    const db = await anotherConnection(t, listd.dataDir)
    const compatibleFrom = (await findSetting(db, 'compatibleFrom')) ?? ''
    const log = logFrom(listd)
    await putSetting(db, 'compatibleFrom', '999')
    const failedRestart = (name: string) => log('process.restart_failed').find(({ process }) => process === name)
    await until(() => services.every(failedRestart) || log(), { ...patience, what: 'every service to fail' })
    for (const name of services) {
      const failed = log('service.failed').find(({ service }) => service === name)
      t.regex(String(failed?.reason), /newer listd.*999.*Start the newer listd, or restore a backup/)
      t.regex(String(failedRestart(name)?.reason), /newer listd.*999/)
    }
    await putSetting(db, 'compatibleFrom', compatibleFrom)
    await untilWell(listd)
  },
)

test.serial('a dead nats-server is restarted on its port, and the services find it', async (t) => {
  const listd = await running()
  const [before = 0] = natsServersOf(listd.dataDir)
  const server = listd.logged('nats.connected').at(-1)?.server
  const logged = logFrom(listd)
  process.kill(before, 'SIGKILL')
  const isAnother = async () => !isAlive(before) && natsServersOf(listd.dataDir).length === 1
  await until(isAnother, { ...patience, what: 'another nats-server' })
  await until(async () => logged('nats.connected').length >= services.length, {
    ...patience,
    what: 'every service to reconnect',
  })
  t.deepEqual([...new Set(logged('nats.connected').map((line) => line.server))], [server])
  await untilWell(listd)
  t.is(logged('process.exited').at(0)?.process, 'nats-server')
})

test.serial('if another program uses the port of a dead nats-server, the next one and the services move', async (t) => {
  const listd = await running()
  const natsPort = Number(String(listd.logged('nats.connected').at(-1)?.server).split(':')[1])
  const logged = logFrom(listd)
  listd.supervisor.kill('SIGSTOP')
  listd.signal('nats-server', 'SIGKILL')
  await until(async () => natsServersOf(listd.dataDir).length === 0, { ...patience, what: 'the end of nats-server' })
  const foreign = createServer().listen(natsPort, '127.0.0.1')
  await once(foreign, 'listening')
  t.teardown(() => foreign.close())
  listd.supervisor.kill('SIGCONT')
  const moved = () => logged('nats.connected').filter(({ server }) => !String(server).endsWith(`:${natsPort}`))
  const haveAllMoved = async () => new Set(moved().map(({ service }) => service)).size === services.length
  await until(haveAllMoved, { ...patience, what: 'every service on another port' })
  await untilWell(listd)
  t.pass()
})

test.serial('a nats-server whose guard is killed is restarted with another one', async (t) => {
  const listd = await running()
  const before = { servers: natsServersOf(listd.dataDir), guards: natsGuardsOf(listd.dataDir) }
  const logged = logFrom(listd)
  killEach(before.guards)
  await until(() => logged('nats_server.guard_lost').length === 1 || logged(), patience)
  const isAnother = () => natsServersOf(listd.dataDir).some((pid) => !before.servers.includes(pid))
  await until(async () => isAnother() || natsServersOf(listd.dataDir), { ...patience, what: 'another nats-server' })
  await untilWell(listd)
  t.is(natsGuardsOf(listd.dataDir).length, 1)
  t.is(natsServersOf(listd.dataDir).length, 1)
})

test.serial('a nats-server that outlives guard and supervisor is ended by the next start', async (t) => {
  const listd = await running()
  const orphans = natsServersOf(listd.dataDir)
  const logged = logFrom(listd)
  listd.supervisor.kill('SIGSTOP')
  killEach(natsGuardsOf(listd.dataDir))
  await listd.kill()
  t.deepEqual(natsServersOf(listd.dataDir), orphans)
  await listd.restart()
  t.deepEqual(
    logged('nats_server.orphan_found').map(({ orphan }) => orphan),
    orphans,
  )
  t.is(natsServersOf(listd.dataDir).length, 1)
  t.notDeepEqual(natsServersOf(listd.dataDir), orphans)
  await untilWell(listd)
})

test.serial('after a kill of the guard SIGTERM ends everything, too', async (t) => {
  const listd = await running()
  killEach(natsGuardsOf(listd.dataDir))
  t.is(await listd.stop('SIGTERM'), 0)
  await untilGone(listd.dataDir)
})

test.serial('after a kill of the supervisor everything that it started ends', async (t) => {
  const listd = await running()
  await listd.kill()
  await untilGone(listd.dataDir)
  t.pass()
})

test.serial(
  'after a kill of the supervisor a new start works at once, on its port, with one nats-server',
  async (t) => {
    const listd = await running()
    const before = natsServersOf(listd.dataDir)
    const orphans = processesOn(listd.dataDir).map(({ pid }) => pid)
    await listd.kill()
    await listd.restart()
    t.is(listd.address, `http://127.0.0.1:${port}`)
    await untilWell(listd)
    t.is(natsServersOf(listd.dataDir).length, 1)
    t.notDeepEqual(natsServersOf(listd.dataDir), before)
    await untilGone(listd.dataDir, orphans)
  },
)

test.serial('SIGTERM drains gateway and dispatcher at the same time, and then the identity service', async (t) => {
  const listd = await running()
  const logged = logFrom(listd)
  t.is(await listd.stop('SIGTERM'), 0)
  const order = logged('"event":"service.stop').map(({ service, event }) => `${service} ${event}`)
  const stopsOf = (service: Service) => [`${service} service.stopping`, `${service} service.stopped`]
  t.deepEqual(order.slice(0, 4).sort(), [...stopsOf('gateway'), ...stopsOf('webhook-dispatcher')].sort())
  t.deepEqual(order.slice(4), stopsOf('identity'))
  await untilGone(listd.dataDir)
})

test.serial('SIGINT drains, too: frozen services are killed when their time is over', async (t) => {
  const listd = await running()
  const logged = logFrom(listd)
  for (const service of services) listd.signal(service, 'SIGSTOP')
  t.is(await listd.stop('SIGINT'), 0)
  const killed = logged('process.killed').filter(({ process }) => process !== 'nats-server')
  t.deepEqual(killed.map(({ process }) => String(process)).sort(), [...services].sort())
  for (const { withinMs } of killed) t.true(Number(withinMs) >= 3_000, 'no service pays for the one before it')
  await untilGone(listd.dataDir)
})

test.serial('SIGHUP ends nothing, and every process logs once that it ignores it', async (t) => {
  const listd = await running()
  const logged = logFrom(listd)
  const hangUp = () => {
    for (const service of services) listd.signal(service, 'SIGHUP')
    listd.supervisor.kill('SIGHUP')
  }
  const ignored = () =>
    logged('hangup.ignored')
      .map(({ service }) => service)
      .sort()
  const all = ['supervisor', ...services].sort()
  hangUp()
  await until(() => ignored().length === all.length || ignored(), {
    ...patience,
    what: 'every process to log the ignored signal',
  })
  hangUp()
  await untilWell(listd)
  t.deepEqual(ignored(), all)
  t.deepEqual(logged('process.exited'), [])
})

test.serial('a second signal kills the rest at once', async (t) => {
  const listd = await running()
  const logged = logFrom(listd)
  listd.signal('gateway', 'SIGSTOP')
  listd.supervisor.kill('SIGTERM')
  await until(async () => logged('supervisor.stopping').length > 0, { ...patience, what: 'the shutdown to begin' })
  // If it waited for the gateway until the end of the shutdown time, it would end with 0.
  t.is(await listd.stop('SIGTERM'), 1)
  await untilGone(listd.dataDir)
})

test.serial('a signal during the start ends it, and leaves nothing', async (t) => {
  const dataDir = await emptyDirectory(t)
  const env = { ...process.env, ...settingsOf(dataDir), LISTD_GATEWAY_PORT: '0' }
  const starting = testProcess(t, [listdProgram, 'start'], { env })
  await until(async () => natsServersOf(dataDir).length === 1, { ...patience, what: 'a nats-server' })
  starting.child.kill('SIGTERM')
  await starting.ended
  await untilGone(dataDir)
  t.notRegex(starting.stderr(), /listd is ready/)
})
