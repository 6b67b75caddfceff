import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { connect } from 'nats'
import { createNatsPassword } from '#services/supervisor/nats/nats-files.ts'
import { launchNatsServer, type NatsRun } from '#services/supervisor/nats/nats-server.ts'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import type { Heartbeat } from '#services/supervisor/processes/heartbeat.ts'
import { loadConfig } from '#shared/config/load.ts'
import { createLogger } from '#shared/log/logger.ts'
import { atLeast, atMost } from '../../support/assertions/bounds.ts'
import { until } from '../../support/assertions/until.ts'
import { natsServersOf, processesWith } from '../../support/nats/nats-processes.ts'
import { type TestProcess, testProcess } from '../../support/processes/process.ts'
import { hasEnded } from '../../support/processes/processes.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const log = createLogger({ service: 'test', level: 'silent' })

const password = createNatsPassword()

async function launch(
  t: ExecutionContext,
  dataDir: string,
  {
    signal = new AbortController().signal,
    ...own
  }: { signal?: AbortSignal; password?: string; heartbeat?: Heartbeat } = {},
): Promise<NatsRun> {
  const program = await findNatsServer(loadConfig({ env: {} }))
  const run = await launchNatsServer({ program, dataDir, password, log, ...own }, signal)
  t.teardown(() => run.stop(0))
  return run
}

/** The pid of the server, found by its configuration file. */
async function pidOf(dataDir: string): Promise<number> {
  await until(async () => natsServersOf(dataDir).length === 1, { what: 'one nats-server' })
  return natsServersOf(dataDir)[0] ?? 0
}

test('it serves JetStream to clients with the credentials of the file, and to no others', async (t) => {
  const dataDir = await testFolder(t)
  const run = await launch(t, dataDir)
  const url = new URL((await readFile(run.urlFile, 'utf8')).trim())
  const { username: user, password: pass, host } = url
  const connection = await connect({ servers: host, user, pass })
  await (await connection.jetstreamManager()).streams.add({ name: 'S', subjects: ['s'] })
  await connection.close()
  await t.throwsAsync(connect({ servers: host, reconnect: false }))
  await t.throwsAsync(connect({ servers: host, user, pass: 'wrong', reconnect: false }))
})

test('a server that hangs is killed', async (t) => {
  const dataDir = await testFolder(t)
  const run = await launch(t, dataDir, { heartbeat: { everyMs: 500, maxUnanswered: 4 } })
  process.kill(await pidOf(dataDir), 'SIGSTOP')
  t.is(await run.ended, 'signal SIGKILL')
})

test('its credentials are in files that only the owner may read, and in no argument', async (t) => {
  const dataDir = await testFolder(t)
  const run = await launch(t, dataDir)
  t.is(new URL((await readFile(run.urlFile, 'utf8')).trim()).password, password)
  t.true(password.length >= 32)
  for (const name of ['nats-url', 'nats-server.conf', 'nats-server.json']) {
    t.is((await stat(join(dataDir, name))).mode & 0o777, 0o600, name)
  }
  const commands = processesWith(dataDir).map(({ command }) => command)
  atLeast(t, commands.length, 2, 'processes')
  for (const command of commands) t.false(command.includes(password))
})

test('it keeps its port and its streams across a restart and a kill', async (t) => {
  const dataDir = await testFolder(t)
  const first = await launch(t, dataDir)
  const url = (await readFile(first.urlFile, 'utf8')).trim()
  const { username: user, password: pass, host } = new URL(url)
  const connection = await connect({ servers: host, user, pass })
  await (await connection.jetstreamManager()).streams.add({ name: 'KEPT', subjects: ['kept'] })
  await connection.close()
  await first.stop(5_000)
  t.deepEqual(natsServersOf(dataDir), [])

  const second = await launch(t, dataDir)
  process.kill(await pidOf(dataDir), 'SIGKILL')
  t.regex(await second.ended, /code 137|signal SIGKILL/)

  const third = await launch(t, dataDir)
  t.is(third.port, first.port)
  t.is((await readFile(third.urlFile, 'utf8')).trim(), url)
  const again = await connect({ servers: host, user, pass })
  t.is((await (await again.jetstreamManager()).streams.info('KEPT')).config.name, 'KEPT')
  await again.close()
})

test('if its files cannot be written, as on a full disk, nats-server uses those of its previous start', async (t) => {
  const dataDir = await testFolder(t)
  const files = ['nats-server.json', 'nats-url', 'nats-server.conf']
  const texts = () => Promise.all(files.map((name) => readFile(join(dataDir, name), 'utf8')))
  const first = await launch(t, dataDir)
  await first.stop(5_000)
  const before = await texts()
  // Every new configuration is first written under this name.
  await mkdir(join(dataDir, 'nats-server.conf.new'))
  const second = await launch(t, dataDir, { password: createNatsPassword() })
  t.is(second.port, first.port)
  t.deepEqual(await texts(), before)
  t.is((await readdir(dataDir)).filter((name) => name.endsWith('.new')).length, 1)
  await second.stop(5_000)
  await rm(join(dataDir, 'nats-url'))
  await t.throwsAsync(launch(t, dataDir), { code: 'EISDIR' })
})

test('its port is below the ephemeral ports, so that no reconnecting client can hold it', async (t) => {
  const { port } = await launch(t, await testFolder(t))
  atLeast(t, port, 20_000, 'port')
  atMost(t, port, 29_999, 'port')
})

test('if another program uses the kept port, it chooses another', async (t) => {
  const dataDir = await testFolder(t)
  const first = await launch(t, dataDir)
  await first.stop(5_000)
  const foreign = createServer((socket) => socket.end('INFO {"server_name":"someone-else"}\r\n'))
  foreign.listen(first.port, '127.0.0.1')
  await once(foreign, 'listening')
  t.teardown(() => foreign.close())
  const second = await launch(t, dataDir)
  t.not(second.port, first.port)
  t.regex(await readFile(second.urlFile, 'utf8'), new RegExp(`:${second.port}\n$`))
})

test('a program that leaves the kept port without a word does not make the server choose another', async (t) => {
  const dataDir = await testFolder(t)
  const first = await launch(t, dataDir)
  await first.stop(5_000)
  const dying = createServer((socket) => {
    socket.destroy()
    dying.close()
  })
  dying.listen(first.port, '127.0.0.1')
  await once(dying, 'listening')
  t.is((await launch(t, dataDir)).port, first.port)
})

test('two data directories have separate nats-servers', async (t) => {
  const [one, other] = [await testFolder(t), await testFolder(t)]
  const [first, second] = [await launch(t, one), await launch(t, other)]
  t.not(first.port, second.port)
})

test('a previous one on the same store is ended: two never run at once', async (t) => {
  const dataDir = await testFolder(t)
  await launch(t, dataDir)
  const previous = await pidOf(dataDir)
  await launch(t, dataDir)
  t.true(hasEnded(previous))
  t.is(natsServersOf(dataDir).length, 1)
})

/** A nats-server with a copy of the data directory's configuration, so with its name and port, and with its pid in the pid file. */
async function impostor(t: ExecutionContext, dataDir: string): Promise<TestProcess> {
  const { stop } = await launch(t, dataDir)
  await stop(5_000)
  const config = join(await testFolder(t), 'copied.conf')
  await copyFile(join(dataDir, 'nats-server.conf'), config)
  const server = testProcess(t, [await findNatsServer(loadConfig({ env: {} })), '-c', config])
  await server.printed(/Server is ready/)
  // The pid of a server that ended long ago may now belong to any process.
  await writeFile(join(dataDir, 'nats-server.pid'), `${server.pid}\n`)
  return server
}

test('a process with its name and its pid, but another command line, is waited for', async (t) => {
  const dataDir = await testFolder(t)
  const server = await impostor(t, dataDir)
  const next = launch(t, dataDir)
  server.child.kill('SIGTERM')
  await next
  t.is(natsServersOf(dataDir).length, 1)
})

test('a process with its name and its pid, but another command line, is reported if it stays, not ended', async (t) => {
  const dataDir = await testFolder(t)
  const server = await impostor(t, dataDir)
  await t.throwsAsync(launch(t, dataDir), {
    message: /^the previous nats-server of this data directory still runs on port \d+; stop it first\.$/,
  })
  t.false(hasEnded(server.pid))
})

test('an invalid pid file, or one of another program, does no harm', async (t) => {
  const dataDir = await testFolder(t)
  for (const pid of ['', 'nonsense', '-1', '0', '1', '99999999', `${process.pid}`]) {
    await writeFile(join(dataDir, 'nats-server.pid'), pid)
    const run = await launch(t, dataDir)
    t.is(natsServersOf(dataDir).length, 1, pid)
    await run.stop(5_000)
  }
})

test('it is killed when its supervisor is killed', async (t) => {
  const dataDir = await testFolder(t)
  const script = join(import.meta.dirname, '../../support/programs/nats-holder.ts')
  const holder = testProcess(t, [process.execPath, script, dataDir])
  await holder.printed(/ready/)
  const server = await pidOf(dataDir)
  holder.child.kill('SIGKILL')
  await until(async () => hasEnded(server), { what: 'the end of nats-server' })
  await until(async () => processesWith(dataDir).length === 0, { what: 'the end of its guard' })
  t.pass()
})

test('a program that cannot serve is reported with its last output', async (t) => {
  const dataDir = await testFolder(t)
  const launched = launchNatsServer({ program: '/bin/false', dataDir, password, log }, new AbortController().signal)
  await t.throwsAsync(launched, { message: /^nats-server ended while it started \(code 1\)/ })
  const missing = launchNatsServer({ program: '/nowhere/nats', dataDir, password, log }, new AbortController().signal)
  await t.throwsAsync(missing, { message: /nowhere\/nats.*not found/ })
})

test('an aborted start leaves nothing', async (t) => {
  const dataDir = await testFolder(t)
  const giveUp = new AbortController()
  const launched = launch(t, dataDir, giveUp)
  giveUp.abort()
  await t.throwsAsync(launched)
  await until(async () => processesWith(dataDir).length === 0, { what: 'the end of all processes' })
})
