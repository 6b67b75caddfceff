import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { isPong, isStartResult, type Ready, type ToService } from '#shared/lifecycle/messages.ts'
import { StartError } from '#shared/lifecycle/start-error.ts'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import { type Heartbeat, minuteOfSilence, watchHeartbeat } from './heartbeat.ts'
import type { Run } from './restart-on-exit.ts'
import { signalGroup, terminate, waitForExit } from './terminate.ts'

/** A service that takes longer to load and connect is considered hung. */
const readyTimeoutMs = 30_000

export type ServiceRun = Run & { instance: string; address: string | null }

export type ServiceCommand = {
  name: string
  /** Program and arguments; ` --instance ID --replaces ID…` is appended. */
  command: readonly [string, ...string[]]
  env: Readonly<Record<string, string | undefined>>
}

type LaunchOptions = {
  instance: string
  replaces: readonly string[]
  signal: AbortSignal
  onHung(silentMs: number): void
  heartbeat?: Heartbeat
}

/**
 * Starts a service in a separate process group, so that ^C in a terminal reaches only the supervisor. The service ends on its own
 * when its IPC channel to this process closes.
 * @param options.replaces dead instances of the service, whose leases this one may release
 * @param options.onHung called when the service has not answered for `silentMs` ms; then it is killed
 * @throws Error with the service's own sentence when it cannot start
 */
export async function launchService(service: ServiceCommand, options: LaunchOptions): Promise<ServiceRun> {
  const { instance, replaces, signal, onHung, heartbeat = minuteOfSilence } = options
  const { child, ended } = spawnCommand(service, [
    '--instance',
    instance,
    ...replaces.flatMap((dead) => ['--replaces', dead]),
  ])
  const kill = () => signalGroup(child.pid, 'SIGKILL')
  signal.addEventListener('abort', kill)
  try {
    signal.throwIfAborted()
    const { address } = await readiness({ name: service.name, child, ended })
    const watch = watchHeartbeat({
      ...heartbeat,
      // A failed send needs no handling: the answer is missing then.
      ask: () => child.send({ ping: true } satisfies ToService, () => {}),
      onHung(silentMs) {
        onHung(silentMs)
        kill()
      },
    })
    child.on('message', (message) => isPong(message) && watch.answered())
    void ended.then(watch.stop)
    const stop = (withinMs: number) => terminate(ended, { withinMs, ask: () => child.kill('SIGTERM'), kill })
    return { instance, address, ended, stop }
  } catch (error) {
    kill()
    throw error
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

/**
 * Runs a listd command to its end, without a time limit: a migration may take long.
 * @returns its message
 * @throws Error with the command's own sentence when it fails
 */
export async function runCommand(command: ServiceCommand): Promise<Ready> {
  const { child, ended } = spawnCommand(command, [])
  const said = await firstMessage({ name: command.name, child, ended })
  await ended
  return said
}

type Spawned = { child: ChildProcess; ended: Promise<string> }

function spawnCommand({ command, env }: ServiceCommand, moreArgs: readonly string[]): Spawned {
  const [program, ...args] = command
  const child = spawn(program, [...args, ...moreArgs], {
    // The executable shows up in process lists under the name by which it was called.
    argv0: process.argv0,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env,
  })
  return { child, ended: waitForExit(child) }
}

export function newInstance(name: string): string {
  return `${name}-${randomUUID()}`
}

type Starting = Spawned & { name: string }

function readiness(starting: Starting): Promise<Ready> {
  return withTimeLimit(firstMessage(starting), readyTimeoutMs, () => {
    throw new Error(`${starting.name} was not ready within ${readyTimeoutMs / 1_000} s.`)
  })
}

/** The first message of a process. @throws Error when it reports that it cannot start, or ends before its first message */
function firstMessage({ name, child, ended }: Starting): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('message', (message) => {
      if (!isStartResult(message)) return
      if ('ready' in message) resolve(message)
      else reject(new StartError(message.exitCode, `${name} cannot start: ${message.failed}`))
    })
    ended.then(async (how) => {
      // The exit may be seen before the last message; once the channel has ended there are no more.
      if (child.connected) await once(child, 'disconnect')
      reject(new Error(`${name} ended while it started (${how}); its log says why.`))
    }, reject)
  })
}
