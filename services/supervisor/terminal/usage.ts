import type { Command, CommanderError } from 'commander'
import { CommandFailed } from './command-failed.ts'
import type { Terminal } from './terminal.ts'

/** A command line that is not valid. */
export class UsageError extends CommandFailed {
  readonly command: Command

  constructor(message: string, command: Command) {
    super(message, 1, { facts: { name: 'USAGE_INVALID' } })
    this.command = command
  }
}

/**
 * Lets a command and its sub-commands throw usage errors, in one sentence, instead of printing them and ending the process.
 * If the help was requested, it is printed and commander's own error is thrown.
 */
export function throwUsageErrors(command: Command, output: Pick<Terminal, 'stdout' | 'stderr'>, parents = ''): void {
  const path = `${parents}${command.name()}`
  command.configureOutput({
    writeOut: (text) => output.stdout.write(text),
    writeErr: (text) => output.stderr.write(text),
    outputError: () => {},
  })
  command.exitOverride((error) => {
    throw isHelp(error) ? error : new UsageError(sentenceOf(error, path), command)
  })
  for (const one of command.commands) throwUsageErrors(one, output, `${path} `)
}

function isHelp({ code }: CommanderError): boolean {
  return ['commander.help', 'commander.helpDisplayed', 'commander.version'].includes(code)
}

/** Commander's message on one line, and where to find help. */
function sentenceOf({ message }: CommanderError, path: string): string {
  const said = message
    .replace(/^error: (command-argument value )?/, '')
    .replaceAll("'", '"')
    .replace(/\n\((Did.*)\?\)$/, (_, question: string) => `; ${question.replace('D', 'd')}?`)
  return `${said.replace(/[^.?]$/, '$&.')} See "${path} --help".`
}
