import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { foreignEnvironment } from '#shared/config/environment.ts'
import { createFolder } from '#shared/files/create-folder.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import type { Logger } from '#shared/log/logger.ts'
import { poll } from '#shared/time/poll.ts'
import { type Heartbeat, minuteOfSilence, watchHeartbeat } from '../processes/heartbeat.ts'
import type { Run } from '../processes/restart-on-exit.ts'
import { signalGroup, terminate, waitForExit } from '../processes/terminate.ts'
import { areNatsFilesFor, type NatsIdentity, natsFilesOf, readNatsIdentity, writeNatsFiles } from './nats-files.ts'
import { endOrphan } from './nats-orphan.ts'
import { pickPort, readBanner } from './port.ts'

/** `urlFile` holds the URL with the credentials; `port` changes only when another program uses the kept one. */
export type NatsRun = Run & { port: number; urlFile: string }

/** `password`: the password of the services. It stays the same while this listd runs, even if the server is restarted. */
type NatsServer = { program: string; dataDir: string; password: string; log: Logger; heartbeat?: Heartbeat }

const guard = join(import.meta.dirname, 'nats-guard.sh')
const readyTimeoutMs = 20_000
const previousGoneMs = 5_000
const portFreeMs = 1_000
const unguardedMs = 2_000
const maxPorts = 5
const pollMs = 10

/**
 * Starts the nats-server of a data directory on its kept port, with a guard that kills it when this process ends.
 * Only one server may use the store, so a previous one is ended. The caller must hold the lock of the data directory.
 * @throws Error with a sentence when it cannot start
 */
export async function launchNatsServer(options: NatsServer, signal: AbortSignal): Promise<NatsRun> {
  await createFolder(join(options.dataDir, 'nats'))
  // A nats-server is recognized by the path in its command line, so symbolic links are resolved.
  const server = { ...options, dataDir: await realpath(options.dataDir) }
  await endOrphan(natsFilesOf(server.dataDir), server.log, signal)
  let identity = await readNatsIdentity(server.dataDir, server.password)
  for (let n = 0; n < maxPorts; n++) {
    signal.throwIfAborted()
    const inUse = await isPortInUse(identity, signal)
    const run = inUse ? null : await tryLaunch(server, identity, signal)
    if (run) return run
    server.log('nats_server.port_taken', { port: identity.port })
    identity = { ...identity, port: await pickPort() }
  }
  throw new Error('nats-server found no free port.')
}

/** Whether another program holds the port. @throws Error when a previous nats-server of this directory does not go */
async function isPortInUse({ port, serverName }: NatsIdentity, signal: AbortSignal): Promise<boolean> {
  const startedAt = performance.now()
  const look = async () => {
    const banner = await readBanner(port)
    if (banner === null) return false
    // A process that is being killed sends nothing, and its port becomes free in a moment.
    const mayGo = banner === '' && performance.now() - startedAt < portFreeMs
    return serverNameIn(banner) === serverName || mayGo ? null : true
  }
  const inUse = await poll(look, { everyMs: pollMs, withinMs: previousGoneMs, signal })
  if (inUse !== null) return inUse
  const message = `the previous nats-server of this data directory still runs on port ${port}; stop it first.`
  throw new StartError(startExitCodes.tryAgain, message)
}

/** @returns null when the port turned out to be in use */
async function tryLaunch(
  { program, dataDir, log, heartbeat = minuteOfSilence }: NatsServer,
  identity: NatsIdentity,
  signal: AbortSignal,
): Promise<NatsRun | null> {
  const files = natsFilesOf(dataDir)
  await writeFilesOrKeep(dataDir, identity, log)
  const child = spawn('/bin/sh', [guard, files.pid, program, '-c', files.config], {
    detached: true,
    stdio: 'pipe',
    env: foreignEnvironment(),
  })
  const { ended, stop, kill } = withGuard(child, log)
  const stderrTail = forwardLog(child, log)
  signal.addEventListener('abort', kill)
  try {
    const gone = await Promise.race([ended, waitUntilReady(identity, ended)])
    if (gone === null) {
      killIfHung({ identity, ended, kill, heartbeat, log })
      return { port: identity.port, urlFile: files.url, ended, stop }
    }
    if (/address already in use/i.test(stderrTail())) return null
    throw new Error(`nats-server ended while it started (${gone}): ${stderrTail() || 'it printed no error'}`)
  } catch (error) {
    kill()
    throw error
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

/**
 * On a full disk, the files of the previous start will do: stored data stays readable, and that start's password is as secret as
 * this one's.
 */
async function writeFilesOrKeep(dataDir: string, identity: NatsIdentity, log: Logger): Promise<void> {
  try {
    await writeNatsFiles(dataDir, identity)
  } catch (error) {
    if (!(await areNatsFilesFor(dataDir, identity))) throw error
    log('nats_server.files_kept', { reason: describeError(error) })
  }
}

/** nats-server and its guard run together: each ends when the other does. */
function withGuard(child: ChildProcessWithoutNullStreams, log: Logger): Run & { kill(): void } {
  const ended = waitForExit(child)
  let isEnding = false
  const kill = () => {
    isEnding = true
    signalGroup(child.pid, 'SIGKILL')
  }
  const stop = (withinMs: number) => {
    isEnding = true
    return terminate(ended, { withinMs, ask: () => child.kill('SIGTERM'), kill })
  }
  // The guard may be the last process of its group, perhaps stopped by a signal.
  child.once('exit', kill)
  child.stdout.resume().once('end', () => {
    if (isEnding) return
    log('nats_server.guard_lost')
    void stop(unguardedMs)
  })
  return { ended, stop, kill }
}

type Watched = { identity: NatsIdentity; ended: Promise<string>; kill(): void; heartbeat: Heartbeat; log: Logger }

/** A nats-server that hangs holds its port and sends no banner. */
function killIfHung({ identity, ended, kill, heartbeat, log }: Watched): void {
  const watch = watchHeartbeat({
    ...heartbeat,
    ask: () => void greets(identity).then((isThere) => isThere && watch.answered()),
    onHung(silentMs) {
      log('process.hung', { process: 'nats-server', silentMs })
      kill()
    },
  })
  void ended.then(watch.stop)
}

/** Whether this nats-server answers on its port. */
async function greets({ port, serverName }: NatsIdentity): Promise<boolean> {
  const banner = await readBanner(port)
  return banner !== null && serverNameIn(banner) === serverName
}

async function waitUntilReady(identity: NatsIdentity, ended: Promise<string>): Promise<null> {
  let alive = true
  ended.then(() => (alive = false))
  const look = async () => {
    if (!alive) return 'ended'
    return (await greets(identity)) ? 'ready' : null
  }
  if ((await poll(look, { everyMs: pollMs, withinMs: readyTimeoutMs })) === 'ready') return null
  throw new Error(`nats-server was not ready within ${readyTimeoutMs / 1_000} s.`)
}

/** The server's name in its banner, `INFO {"server_name": …}`. */
function serverNameIn(banner: string): string | null {
  if (!banner.startsWith('INFO ')) return null
  try {
    const info: unknown = JSON.parse(banner.slice('INFO '.length))
    return typeof info === 'object' && info !== null && 'server_name' in info ? String(info.server_name) : null
  } catch {
    return null
  }
}

/** The password need not be hashed: only this user may read its file. */
const expectedWarning = /Plaintext passwords/

/** Logs its warnings and errors. @returns a function that returns the last one */
function forwardLog(child: ChildProcessWithoutNullStreams, log: Logger): () => string {
  let last = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    const [, level, text = line] = /\[(INF|WRN|ERR|FTL|DBG|TRC)\] (.*)/.exec(line) ?? []
    if (level === 'INF' || expectedWarning.test(text)) return
    last = text
    const isError = level === 'ERR' || level === 'FTL'
    log(isError ? 'nats_server.error_reported' : 'nats_server.warning_reported', { text })
  })
  return () => last
}
