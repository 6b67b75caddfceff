import { ConfigError } from '#shared/config/config-error.ts'
import { AppError } from '#shared/errors.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { notifySupervisor } from '#shared/lifecycle/messages.ts'
import { startExitCode, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { CommandFailed, type FailureFacts, unnamedFailure } from './command-failed.ts'
import { formatJson } from './listing.ts'
import type { Terminal } from './terminal.ts'

/**
 * Reports why a command failed: a sentence on standard error or, under a supervisor, to the supervisor. The exit code is that of a
 * `CommandFailed`, for a command that starts listd that of `start-error.ts`, and 1 otherwise.
 * @param options.json prints `{name, message, …, exitCode}` on standard output too
 * @param options.starts the command starts listd, or prepares its start
 */
export async function reportFailure(
  terminal: Terminal,
  error: unknown,
  { json, starts }: { json: boolean; starts: boolean },
): Promise<void> {
  const message = describeError(error)
  if (terminal.connected) await notifySupervisor({ failed: message, exitCode: startExitCode(error) })
  else terminal.stderr.write(`listd: ${message}\n`)
  const other = starts ? startExitCode(error) : startExitCodes.other
  const exitCode = error instanceof CommandFailed ? error.exitCode : other
  const { name, ...facts } = factsOf(error)
  if (json) terminal.stdout.write(formatJson({ name, message, ...facts, exitCode }))
  terminal.exitCode = exitCode
}

function factsOf(error: unknown): FailureFacts {
  if (error instanceof CommandFailed) return error.facts
  if (error instanceof ConfigError) return { name: 'CONFIGURATION_INVALID', errors: error.errors }
  if (error instanceof AppError) return { name: error.name, ...(error.details && { details: error.details }) }
  return { name: unnamedFailure }
}
