import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'

const run = promisify(execFile)
const withinMs = 10_000

/** What systemd passes to the processes of a unit: where it listens, and how often it expects to be notified that they live. */
type SystemdEnv = Readonly<Record<string, string | undefined>>

/** Notifies systemd, where it waits for that, that everything answers, and from then on that this process lives. */
export async function reportToSystemd(): Promise<void> {
  await notifySystemdReady()
  feedSystemdWatchdog()
}

/** Notifies systemd that everything answers, if it waits for that (`Type=notify`). */
export async function notifySystemdReady(env: SystemdEnv = foreignEnvironment()): Promise<void> {
  await notifySystemd('READY=1', env)
}

/**
 * Notifies systemd again and again that this process lives, if it waits for that (`WatchdogSec`), which ends it otherwise. The
 * services of a supervisor are its own to restart, so they are not checked here.
 * @returns stops that
 */
export function feedSystemdWatchdog(env: SystemdEnv = foreignEnvironment()): () => void {
  const everyMs = watchdogMs(env)
  if (everyMs === null) return () => {}
  const timer = setInterval(() => void notifySystemd('WATCHDOG=1', env), everyMs)
  return () => clearInterval(timer)
}

/**
 * Twice in the time after which systemd treats a process as hung. `WATCHDOG_PID` does not matter: where it names a script that runs
 * listd, no other process notifies systemd that the unit lives.
 * @returns milliseconds; null where systemd does not wait
 */
export function watchdogMs({ NOTIFY_SOCKET, WATCHDOG_USEC }: SystemdEnv): number | null {
  const waitsUs = Number(WATCHDOG_USEC)
  return NOTIFY_SOCKET && waitsUs > 0 ? Math.ceil(waitsUs / 2_000) : null
}

/**
 * By a program of systemd, because Node.js has no datagram sockets of files. What cannot be sent is said on standard error: listd
 * runs all the same.
 */
async function notifySystemd(state: 'READY=1' | 'WATCHDOG=1', env: SystemdEnv): Promise<void> {
  if (!env.NOTIFY_SOCKET) return
  try {
    await run('systemd-notify', [state], { env, timeout: withinMs })
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n')[0] : error
    process.stderr.write(`listd: systemd waits for the notification ${state}, which failed (${reason}).\n`)
  }
}
