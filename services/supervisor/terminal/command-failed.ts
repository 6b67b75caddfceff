import { describeError } from '#shared/lifecycle/describe-error.ts'

/**
 * The exit codes of commands; every other failure is 1. Scripts depend on them: never renumber (docs/command-line.md).
 */
export const exitCodes = {
  rebuildNotAllowed: 2,
  buildFailed: 3,
  destructiveNotAllowed: 4,
  confirmationNeeded: 5,
  notFound: 6,
  notAllowed: 7,
  limitExceeded: 8,
  rowsRejected: 9,
  changesPending: 10,
  schemaTooNew: 11,
  planChanged: 12,
} as const

export type ExitCode = 1 | (typeof exitCodes)[keyof typeof exitCodes]

/** What a program receives about a failure in addition to its message (`--json`). */
export type FailureFacts = { name: string; [fact: string]: unknown }

/** A failure of a command with its own exit code; the message is a sentence for the caller. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode
  readonly facts: FailureFacts

  constructor(message: string, exitCode: ExitCode, options: ErrorOptions & { facts?: FailureFacts } = {}) {
    super(message, options)
    this.exitCode = exitCode
    this.facts = options.facts ?? { name: nameOf(exitCode) }
  }
}

/** The name of a failure without its own name. */
export const unnamedFailure = 'COMMAND_FAILED'

/** Its exit code in words: `CONFIRMATION_NEEDED`. */
function nameOf(exitCode: ExitCode): string {
  const [name] = Object.entries(exitCodes).find(([, code]) => code === exitCode) ?? []
  return name?.replaceAll(/[A-Z]/g, '_$&').toUpperCase() ?? unnamedFailure
}

/** The failure of a command because of an error without its own exit code. */
export function failedBy(error: unknown): CommandFailed {
  return new CommandFailed(describeError(error), 1, { cause: error, facts: { name: unnamedFailure } })
}
