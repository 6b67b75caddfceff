import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'

const run = promisify(execFile)
const withinMs = 10_000

/** What systemd tells the processes of a unit: where it listens, and how often it wants to be told that they live. */
type SystemdEnv = Readonly<Record<string, string | undefined>>

/** Tells systemd, where it waits for that, that everything answers, and from then on that this process lives. */
export async function reportToSystemd(): Promise<void> {
  await tellSystemdReady()
  feedSystemdWatchdog()
}

/** Tells systemd that everything answers, if it waits for that (`Type=notify`). */
export async function tellSystemdReady(env: SystemdEnv = foreignEnvironment()): Promise<void> {
  await tellSystemd('READY=1', env)
}

/**
 * Tells systemd again and again that this process lives, if it waits for that (`WatchdogSec`), which ends it otherwise. The
 * services of a supervisor are its own to restart, so they are not asked here.
 * @returns stops telling
 */
export function feedSystemdWatchdog(env: SystemdEnv = foreignEnvironment()): () => void {
  const everyMs = watchdogMs(env)
  if (everyMs === null) return () => {}
  const timer = setInterval(() => void tellSystemd('WATCHDOG=1', env), everyMs)
  return () => clearInterval(timer)
}

/**
 * Twice in the time after which systemd takes a process for hung. `WATCHDOG_PID` does not matter: where it names a script that runs
 * listd, nobody else tells that the unit lives.
 * @returns milliseconds; null where nobody waits
 */
export function watchdogMs({ NOTIFY_SOCKET, WATCHDOG_USEC }: SystemdEnv): number | null {
  const waitsUs = Number(WATCHDOG_USEC)
  return NOTIFY_SOCKET && waitsUs > 0 ? Math.ceil(waitsUs / 2_000) : null
}

/**
 * By a program of systemd, because Node.js has no datagram sockets of files. What cannot be told is said on standard error: listd
 * runs all the same.
 */
async function tellSystemd(state: 'READY=1' | 'WATCHDOG=1', env: SystemdEnv): Promise<void> {
  if (!env.NOTIFY_SOCKET) return
  try {
    await run('systemd-notify', [state], { env, timeout: withinMs })
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n')[0] : error
    process.stderr.write(`listd: systemd waits to be told ${state}, which failed (${reason}).\n`)
  }
}
