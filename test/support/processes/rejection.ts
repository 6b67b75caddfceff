import type { ExecutionContext } from 'ava'
import type { StartExitCode } from '#shared/lifecycle/start-error.ts'
import { settingsOf } from './command-line.ts'
import { listdProgram } from './listd-program.ts'
import { testProcess } from './process.ts'
import { untilGone } from './processes.ts'

/**
 * Starts listd where it cannot start; it must end with this code, leave no process and print no stack.
 * @returns its output
 */
export async function rejection(
  t: ExecutionContext,
  dataDir: string,
  { code, env = {} }: { code: StartExitCode; env?: Record<string, string> },
): Promise<string> {
  const start = testProcess(t, [listdProgram, 'start'], {
    env: { ...process.env, LISTD_GATEWAY_PORT: '0', ...settingsOf(dataDir), ...env },
  })
  t.deepEqual(await start.ended, { code, signal: null })
  t.notRegex(start.stderr(), /listd is ready/)
  t.notRegex(start.stderr() + start.stdout(), /^ +at |node:internal/m)
  await untilGone(dataDir)
  return start.stderr()
}
