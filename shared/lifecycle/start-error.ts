import { ConfigError } from '#shared/config/config-error.ts'
import { AppError } from '#shared/errors.ts'

/**
 * The exit codes of what cannot start, as sysexits.h has them: with `configuration` it cannot until something is changed, with
 * `tryAgain` it may the next time. Service managers depend on them (docs/command-line.md).
 */
export const startExitCodes = { other: 1, tryAgain: 75, configuration: 78 } as const

export type StartExitCode = (typeof startExitCodes)[keyof typeof startExitCodes]

/** Why something cannot start, as a sentence for the operator, and whether it may the next time. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
  readonly exitCode: StartExitCode

  constructor(exitCode: StartExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The exit code of a process that cannot start because of this error. */
export function startExitCode(error: unknown): StartExitCode {
  if (error instanceof StartError) return error.exitCode
  if (error instanceof ConfigError) return startExitCodes.configuration
  if (error instanceof AppError) return error.status === 503 ? startExitCodes.tryAgain : startExitCodes.other
  const { code } = Object(error) as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return startExitCodes.tryAgain
  return onlyAPersonMends.has(code) ? startExitCodes.configuration : startExitCodes.other
}

/** A wrong address, missing rights, and a folder or a file where the other is expected. */
const onlyAPersonMends: ReadonlySet<string | undefined> = new Set([
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENOTDIR',
])
