import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { foreignEnvironment } from '#shared/config/environment.ts'

const run = promisify(execFile)
const withinMs = 10_000

/**
 * Tells systemd that everything answers, if it waits for that (`Type=notify`). By a program of systemd, because Node.js has
 * no datagram sockets of files. What cannot be told is said on standard error: listd runs all the same.
 */
export async function tellSystemdReady(env = foreignEnvironment()): Promise<void> {
  if (!env.NOTIFY_SOCKET) return
  try {
    await run('systemd-notify', ['--ready'], { env, timeout: withinMs })
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n')[0] : error
    process.stderr.write(`listd: systemd waits to be told that listd is ready, which failed (${reason}).\n`)
  }
}
