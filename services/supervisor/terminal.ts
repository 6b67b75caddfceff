import type { Readable } from 'node:stream'
import type { Env } from '#shared/config/from-env.ts'

/** What a command uses of its process: `process` itself, or what a test hands it. */
export type Terminal = {
  /** Where its settings come from. */
  env: Env
  stdin: Readable & { isTTY?: boolean }
  stdout: { write(text: string): unknown }
  stderr: { write(text: string): unknown }
  /** Whether a supervisor started it and listens. */
  connected: boolean
  exitCode?: NodeJS.Process['exitCode']
}
