import { StartError, type StartExitCode, startExitCodes } from '#shared/lifecycle/start-error.ts'

/**
 * The schema of the database cannot be used or upgraded; the message says why and what to do. The next start may succeed, unless
 * `exitCode` says otherwise.
 */
export class SchemaError extends StartError {
  override readonly name = 'SchemaError'

  constructor(message: string, exitCode: StartExitCode = startExitCodes.tryAgain) {
    super(exitCode, message)
  }
}
