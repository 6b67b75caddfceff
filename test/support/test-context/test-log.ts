import { createLogger, type Logger } from '#shared/log/logger.ts'
import { assertNoSecretsLogged } from './canaries.ts'
import { showOnFailure } from './failure-log.ts'
import type { Teardown } from './teardown.ts'

/** The log of a service inside the test's process: every line so far, the last of them shown when the test fails. */
export function testLog(t: Teardown, name: string): { log: Logger; lines: readonly string[] } {
  const lines: string[] = []
  showOnFailure(t, name, () => lines)
  t.teardown(() => assertNoSecretsLogged(`the log of ${name}`, lines))
  const output = { write: (line: string) => void lines.push(line) }
  return { log: createLogger({ service: name, level: 'debug', output }), lines }
}
