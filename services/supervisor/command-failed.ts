/**
 * The exit codes of the commands that call a listd over HTTP; every other failure is 1. Scripts depend on them: never
 * renumber (docs/command-line.md).
 */
export const exitCodes = {
  rebuildNotAllowed: 2,
  buildFailed: 3,
  destructiveNotAllowed: 4,
  confirmationNeeded: 5,
  notFound: 6,
  notAllowed: 7,
  limitExceeded: 8,
  changesPending: 10,
  planChanged: 12,
} as const

export type ExitCode = 1 | (typeof exitCodes)[keyof typeof exitCodes]

/** A failure of a command with an exit code of its own; the message is a sentence for whoever called it. */
export class CommandFailed extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}
