import { type Logger, pino, stdTimeFunctions } from 'pino'
import { showOnFailure } from './failure-log.ts'
import type { Teardown } from './gateway.ts'

/** The log of a service inside the test's process: every line so far, the last of them shown when the test fails. */
export function testLog(t: Teardown, name: string): { log: Logger; lines: readonly string[] } {
  const lines: string[] = []
  showOnFailure(t, name, () => lines)
  const options = { level: 'debug', base: null, timestamp: stdTimeFunctions.isoTime }
  return { log: pino(options, { write: (line) => void lines.push(line) }), lines }
}
