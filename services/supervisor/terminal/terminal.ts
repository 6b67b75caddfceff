import type { Readable } from 'node:stream'
import type { Env } from '#shared/config/sources/from-env.ts'

/** The part of `process` that commands use; tests pass their own. */
export type Terminal = {
  /** The environment that settings are read from. */
  env: Env
  stdin: Readable & { isTTY?: boolean }
  stdout: { write(text: string): unknown; isTTY?: boolean }
  stderr: { write(text: string): unknown; isTTY?: boolean }
  /** Whether a supervisor started this process and listens. */
  connected: boolean
  exitCode?: NodeJS.Process['exitCode']
}
