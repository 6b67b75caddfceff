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

/** What a program receives about a failure in addition to its sentence (`--json`). */
export type FailureFacts = { name: string; [fact: string]: unknown }

/** A failure of a command with an exit code of its own; the message is a sentence for its caller. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode
  readonly facts: FailureFacts

  constructor(message: string, exitCode: ExitCode, options: ErrorOptions & { facts?: FailureFacts } = {}) {
    super(message, options)
    this.exitCode = exitCode
    this.facts = options.facts ?? { name: nameOf(exitCode) }
  }
}

/** What a failure is called that has no name of its own. */
export const unnamedFailure = 'COMMAND_FAILED'

/** Its exit code in words: `CONFIRMATION_NEEDED`. */
function nameOf(exitCode: ExitCode): string {
  const [name] = Object.entries(exitCodes).find(([, code]) => code === exitCode) ?? []
  return name?.replaceAll(/[A-Z]/g, '_$&').toUpperCase() ?? unnamedFailure
}
