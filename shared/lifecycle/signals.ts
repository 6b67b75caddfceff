import type { Logger } from '#shared/log/logger.ts'

/**
 * The signals that ask a process to end. On a terminal SIGHUP is one of them: the terminal was closed, and the user would not see
 * that the process still runs.
 */
export const endSignals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', ...hangup()]

function hangup(): NodeJS.Signals[] {
  return process.stdout.isTTY || process.stderr.isTTY ? ['SIGHUP'] : []
}

/** Without a terminal SIGHUP does nothing, which is logged once: who sends it expects that settings are read again. */
export function ignoreHangup(log: Logger): void {
  if (endSignals.includes('SIGHUP')) return
  let isLogged = false
  process.on('SIGHUP', () => {
    if (!isLogged) log('hangup.ignored')
    isLogged = true
  })
}
