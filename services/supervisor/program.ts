import { Command, Option } from 'commander'
import { tellSupervisor } from '#shared/lifecycle/messages.ts'
import { sentenceOf } from '#shared/lifecycle/sentence.ts'
import packageFile from '../../package.json' with { type: 'json' }

/** Runs the command line; each command is loaded when it is asked for. A failure is one sentence and exit code 1. */
export async function run(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync([...argv])
  } catch (error) {
    const sentence = sentenceOf(error)
    if (process.connected) await tellSupervisor({ failed: sentence })
    else process.stderr.write(`listd: ${sentence}\n`)
    process.exit(1)
  }
}

function program(): Command {
  const listd = new Command('listd')
  listd.description(packageFile.description).version(packageFile.version).showHelpAfterError()
  addServing(listd)
  addAccounts(listd)
  return listd
}

function addServing(listd: Command): void {
  listd
    .command('start')
    .description('run everything on this machine: nats-server, all services, SQLite in the data directory')
    .action(async () => (await import('./commands/start.ts')).start())
  listd
    .command('service <name>')
    .description('run one service: gateway, identity or webhook-dispatcher')
    .addOption(new Option('--instance <id>').hideHelp())
    .addOption(new Option('--replaces <ids...>').hideHelp())
    .action(async (name, options) => (await import('./commands/service.ts')).service(name, options))
  listd
    .command('migrate')
    .description('bring the database schema up to this version')
    .action(async () => (await import('./commands/migrate.ts')).migrateDatabase())
}

function addAccounts(listd: Command): void {
  listd
    .command('account')
    .description('accounts: everything belongs to one')
    .command('create')
    .description('make an account')
    .requiredOption('--name <name>', 'how people call it')
    .action(async (options) => (await import('./commands/account.ts')).createAccountCommand(options))
  listd
    .command('user')
    .description('people who sign in')
    .command('create')
    .description('make a user; asks for the password')
    .requiredOption('--email <email>')
    .option('--account <name>', 'the account, by name or id; needed when there are several')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (options) => (await import('./commands/user.ts')).createUserCommand(options))
  listd
    .command('token')
    .description('API tokens')
    .command('create')
    .description('make an API token and print it; it is shown this once')
    .option('--name <name>', 'what it is for', 'command line')
    .option('--account <name>', 'the account, by name or id; needed when there are several')
    .addOption(new Option('--allow-all', 'allow every action').conflicts('permissions'))
    .option('--permissions <json>', 'an array of rules, such as [{"mode":"allow","action":"view"}]')
    .action(async (options) => (await import('./commands/token.ts')).createTokenCommand(options))
}
