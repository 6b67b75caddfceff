import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'

const run = promisify(execFile)
const withinMs = 10_000

/** What systemd passes to the processes of a unit: where it listens, and how often it expects a sign of life. */
type SystemdEnv = Readonly<Record<string, string | undefined>>

/** If systemd waits for it, notifies it that everything answers, and from then on that this process lives. */
export async function reportToSystemd(): Promise<void> {
  await notifySystemdReady()
  feedSystemdWatchdog()
}

/** Notifies systemd that everything answers, if it waits for that (`Type=notify`). */
export async function notifySystemdReady(env: SystemdEnv = foreignEnvironment()): Promise<void> {
  await notifySystemd('READY=1', env)
}

/**
 * Notifies systemd periodically that this process lives, if systemd waits for it (`WatchdogSec`) and would end the process otherwise.
 * The supervisor restarts its services itself, so they are not checked here.
 * @returns a function that stops the notifications
 */
export function feedSystemdWatchdog(env: SystemdEnv = foreignEnvironment()): () => void {
  const everyMs = watchdogMs(env)
  if (everyMs === null) return () => {}
  const timer = setInterval(() => void notifySystemd('WATCHDOG=1', env), everyMs)
  return () => clearInterval(timer)
}

/**
 * Half of the time after which systemd treats a process as hung. `WATCHDOG_PID` is ignored: if it names a script that runs listd, no
 * other process notifies systemd that the unit lives.
 * @returns milliseconds; null if systemd does not wait
 */
export function watchdogMs({ NOTIFY_SOCKET, WATCHDOG_USEC }: SystemdEnv): number | null {
  const waitsUs = Number(WATCHDOG_USEC)
  return NOTIFY_SOCKET && waitsUs > 0 ? Math.ceil(waitsUs / 2_000) : null
}

/**
 * Uses a program of systemd, because Node.js has no Unix datagram sockets. A failure is reported on standard error: listd runs
 * regardless.
 */
async function notifySystemd(state: 'READY=1' | 'WATCHDOG=1', env: SystemdEnv): Promise<void> {
  if (!env.NOTIFY_SOCKET) return
  try {
    await run('systemd-notify', [state], { env, timeout: withinMs })
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n')[0] : error
    process.stderr.write(`listd: the notification ${state} for systemd failed (${reason}).\n`)
  }
}
