import { Command, CommanderError } from 'commander'
import packageFile from '../../package.json' with { type: 'json' }
import { addDataCommands } from './command-line/data-commands.ts'
import { addFlowCommands } from './command-line/flow-commands.ts'
import { addItemCommands } from './command-line/item-commands.ts'
import { addMaintenanceCommands } from './command-line/maintenance-commands.ts'
import { addPeopleCommands } from './command-line/people-commands.ts'
import { addRunCommands } from './command-line/run-commands.ts'
import { addSchemaCommands } from './command-line/schema-commands.ts'
import { addSessionCommands } from './command-line/session-commands.ts'
import { addWebhookCommands } from './command-line/webhook-commands.ts'
import { reportFailure } from './terminal/report-failure.ts'
import type { Terminal } from './terminal/terminal.ts'
import { throwUsageErrors, UsageError } from './terminal/usage.ts'

/** Runs the command line; loads only the command that is called. Reports what it throws (`report-failure.ts`). */
export async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  const output = noted(terminal)
  const listd = program(output.terminal)
  let called: Command | null = null
  listd.hook('preAction', (_, command) => {
    called = command
  })
  try {
    await listd.parseAsync([...args], { from: 'user' })
  } catch (error) {
    const command = error instanceof UsageError ? error.command : called
    // A command that has printed its report needs no JSON of the error.
    const json = command?.opts().json === true && !output.isPrinted()
    if (isVersionAsked(error)) await (await import('./commands/version.ts')).printVersion(output.terminal)
    else if (error instanceof CommanderError) output.terminal.exitCode = error.exitCode
    else await reportFailure(output.terminal, error, { json, starts: startCommands.has(command?.name() ?? '') })
  }
  if (output.terminal.exitCode !== undefined) terminal.exitCode = output.terminal.exitCode
}

/** Commander's own name for it; its built-in option can only print a text that is known in advance. */
const versionAsked = 'commander.version'

const isVersionAsked = (error: unknown) => error instanceof CommanderError && error.code === versionAsked

/** Service managers read the exit codes of these commands, to see whether a retry may help. */
const startCommands: ReadonlySet<string> = new Set(['start', 'migrate'])

/** The terminal, which records whether anything was printed on its standard output. */
function noted({ env, stdin, stdout, stderr, connected }: Terminal) {
  let isPrinted = false
  const write = (text: string) => {
    isPrinted = true
    return stdout.write(text)
  }
  const terminal: Terminal = { env, stdin, stderr, connected, stdout: { write, isTTY: stdout.isTTY === true } }
  return { terminal, isPrinted: () => isPrinted }
}

/** The definition of the command line for `commander`. */
export function program(terminal: Terminal): Command {
  const listd = new Command('listd')
  listd
    .description(packageFile.description)
    .option('-V, --version', 'print the version, the commit and the version of the schema')
    .on('option:version', () => {
      throw new CommanderError(0, versionAsked, '')
    })
    .helpOption('-h, --help', 'show this help')
    .helpCommand(...helpCommand)
    .addHelpText('afterAll', '\ndocs/command-line.md describes every command.')
  addRunCommands(listd.commandsGroup('Run:'), terminal)
  addDataCommands(listd.commandsGroup('Data:'), terminal)
  addPeopleCommands(listd.commandsGroup('People and programs:'), terminal)
  addSchemaCommands(listd.commandsGroup('A listd somewhere else:'), terminal)
  addItemCommands(listd, terminal)
  addFlowCommands(listd, terminal)
  addSessionCommands(listd, terminal)
  addWebhookCommands(listd, terminal)
  addMaintenanceCommands(listd.commandsGroup('Maintenance:'), terminal)
  // Sub-commands have it too; here it belongs to the last group.
  listd.helpCommand(...helpCommand)
  throwUsageErrors(listd, terminal)
  return listd
}

const helpCommand = ['help [command]', 'show the help of a command'] as const
