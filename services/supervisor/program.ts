import { Command, Option } from 'commander'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { tellSupervisor } from '#shared/lifecycle/messages.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { CommandFailed } from './command-failed.ts'
import { addRemoteCommands } from './remote-commands.ts'
import type { Terminal } from './terminal.ts'

/**
 * Runs the command line; only the command that is called is loaded. A failure is one sentence and exit code 1, or the code of
 * a `CommandFailed`.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await program(terminal).parseAsync([...args], { from: 'user' })
  } catch (error) {
    const sentence = describeError(error)
    if (terminal.connected) await tellSupervisor({ failed: sentence })
    else terminal.stderr.write(`listd: ${sentence}\n`)
    terminal.exitCode = error instanceof CommandFailed ? error.exitCode : 1
  }
}

/** The definition of the command line for `commander`. */
export function program(terminal: Terminal): Command {
  const listd = new Command('listd')
  listd.description(packageFile.description).version(packageFile.version).showHelpAfterError()
  addServiceCommands(listd, terminal)
  addBackupCommands(listd, terminal)
  addSecrets(
    listd.command('secrets').description('manage the keys that secrets in the database are sealed with'),
    terminal,
  )
  addDiagnosticCommands(listd, terminal)
  addAccounts(listd.command('account').description('manage accounts, which own everything else'), terminal)
  addUsers(listd.command('user').description('manage the users who sign in to an account'), terminal)
  addTokens(listd.command('token').description('manage API tokens'), terminal)
  addIdentities(listd.command('identity').description('manage the identities of an account'), terminal)
  addGroups(listd.command('group').description('manage the groups of identities'), terminal)
  addRemoteCommands(listd, terminal)
  return listd
}

function addServiceCommands(listd: Command, terminal: Terminal): void {
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
    .description('upgrade the database schema to this version')
    .option('--status', 'only show the version and the pending steps')
    .option('--json', 'with --status: as JSON')
    .option('--no-backup', 'do not back a SQLite database up before')
    .addOption(new Option('--setup-link').hideHelp())
    .action(async ({ status, ...options }) => {
      if (status) await (await import('./commands/migrate-status.ts')).printSchemaStatus(terminal, options)
      else await (await import('./commands/migrate.ts')).migrateDatabase(terminal, options)
    })
}

function addBackupCommands(listd: Command, terminal: Terminal): void {
  listd
    .command('backup <file>')
    .description('back up the SQLite database to a new file, while listd runs')
    .action(async (file) => (await import('./commands/backup.ts')).backup(terminal, file))
  listd
    .command('restore <file>')
    .description('put a backup in place of the SQLite database, while no listd runs')
    .option('--replace', 'although there is a database, which is kept under another name')
    .action(async (file, options) => (await import('./commands/restore.ts')).restore(terminal, file, options))
  listd
    .command('db')
    .description('work on whole databases')
    .command('copy')
    .description('copy the database to an empty one, of any kind, and compare both')
    .addOption(new Option('--to <address>', 'sqlite:<file>').conflicts('toFile'))
    .option('--to-file <file>', 'a file that holds the address, with user and password')
    .option('--restart', 'delete first what an unfinished copy has left there')
    .action(async (options) => (await import('./commands/database-copy.ts')).copyDatabaseCommand(terminal, options))
}

function addSecrets(secrets: Command, terminal: Terminal): void {
  secrets
    .command('status')
    .description('list the keys by their ids, and how many secrets each has sealed')
    .option(...asJson)
    .action(async (options) => (await import('./commands/secrets.ts')).secretsStatusCommand(terminal, options))
  secrets
    .command('rotate')
    .description('replace the master key in the data directory by a new one, while listd runs')
    .action(async () => (await import('./commands/secrets.ts')).rotateCommand(terminal))
  secrets
    .command('reseal')
    .description('seal everything with the first of the keys that are here, while listd runs')
    .option('--give-up <ids...>', 'ids of keys that are lost: what they have sealed is lost, and keeps nothing waiting')
    .action(async (options) => (await import('./commands/secrets.ts')).resealCommand(terminal, options))
}

function addDiagnosticCommands(listd: Command, terminal: Terminal): void {
  listd
    .command('doctor')
    .description('find what is missing or wrong and say how to fix it; exit code 1 when something needs fixing')
    .option(...asJson)
    .action(async (options) => (await import('./commands/doctor.ts')).doctorCommand(terminal, options))
  listd
    .command('config')
    .description('show the configuration')
    .command('print')
    .description('print every setting and where its value comes from; secrets are not shown')
    .option(...asJson)
    .action(async (options) => (await import('./commands/config.ts')).printConfigCommand(terminal, options))
  listd
    .command('licenses')
    .description('print the licenses of listd and of everything that is shipped with it')
    .action(async () => (await import('./commands/licenses.ts')).printLicenses(terminal))
}

function addAccounts(account: Command, terminal: Terminal): void {
  account
    .command('create')
    .description('create an account')
    .requiredOption('--name <name>', 'its name, unique among accounts')
    .action(async (options) => (await import('./commands/account.ts')).createAccountCommand(terminal, options))
  account
    .command('list')
    .description('list the accounts')
    .option(...asJson)
    .action(async (options) => (await import('./commands/account.ts')).listAccountsCommand(terminal, options))
  account
    .command('set-plan')
    .description('move an account to another price plan')
    .requiredOption('--plan <plan>', 'the id of the plan')
    .option(...oneAccount)
    .action(async (options) => (await import('./commands/account.ts')).setPlanCommand(terminal, options))
}

function addUsers(user: Command, terminal: Terminal): void {
  user
    .command('create')
    .description('create a user, and the first account if there is none; prompts for the password')
    .requiredOption('--email <email>')
    .option(...oneAccount)
    .option(...passwordFromStdin)
    .action(async (options) => (await import('./commands/user.ts')).createUserCommand(terminal, options))
  user
    .command('list')
    .description('list the users')
    .option(...onlyAccount)
    .option(...asJson)
    .action(async (options) => (await import('./commands/user.ts')).listUsersCommand(terminal, options))
  user
    .command('set-password')
    .description("set a user's password and end their sessions; prompts for the password")
    .requiredOption('--email <email>')
    .option(...passwordFromStdin)
    .action(async (options) => (await import('./commands/set-password.ts')).setPasswordCommand(terminal, options))
}

function addTokens(token: Command, terminal: Terminal): void {
  token
    .command('create')
    .description('create an API token and print it; it cannot be shown again')
    .option('--name <name>', 'what it is for', 'command line')
    .option(...oneAccount)
    .addOption(new Option('--allow-all', 'allow every action').conflicts('permissions'))
    .option('--permissions <json>', 'an array of rules, such as [{"mode":"allow","action":"view"}]')
    .action(async (options) => (await import('./commands/token.ts')).createTokenCommand(terminal, options))
  token
    .command('list')
    .description('list the API tokens, without their values')
    .option(...onlyAccount)
    .option(...asJson)
    .action(async (options) => (await import('./commands/token.ts')).listTokensCommand(terminal, options))
  for (const [name, locked, description] of [
    ['lock', true, 'refuse an API token, whatever the users of its account do'],
    ['unlock', false, 'accept a locked API token again'],
  ] as const) {
    token
      .command(name)
      .description(description)
      .requiredOption('--id <id>', 'its id, which "listd token list" shows')
      .option(...oneAccount)
      .action(async (options) =>
        (await import('./commands/token.ts')).setTokenLockedCommand(terminal, { ...options, locked }),
      )
  }
}

function addIdentities(identity: Command, terminal: Terminal): void {
  identity
    .command('list')
    .description('list the identities')
    .option(...onlyAccount)
    .option('--group <name>', "only those of this group; '' is the ungrouped space")
    .option(...asJson)
    .action(async (options) => (await import('./commands/identity.ts')).listIdentitiesCommand(terminal, options))
  identity
    .command('set-password')
    .description("set an identity's password and end its sessions; prompts for the password")
    .requiredOption(...oneIdentity)
    .option(...oneAccount)
    .option(...passwordFromStdin)
    .action(async (options) => (await import('./commands/identity.ts')).setIdentityPasswordCommand(terminal, options))
  identity
    .command('deactivate')
    .description('keep an identity from signing in, and end its sessions')
    .requiredOption(...oneIdentity)
    .option(...oneAccount)
    .action(async (options) => (await import('./commands/identity.ts')).deactivateIdentityCommand(terminal, options))
}

function addGroups(group: Command, terminal: Terminal): void {
  group
    .command('list')
    .description('list the groups of identities with their settings')
    .option(...onlyAccount)
    .option(...asJson)
    .action(async (options) => (await import('./commands/group.ts')).listGroupsCommand(terminal, options))
  addGroupSettings(group.command('create').description('create a group before its first registration would'))
    .requiredOption('--name <name>', 'its name, which cannot be changed')
    .action(async (options) => (await import('./commands/group.ts')).createGroupCommand(terminal, options))
  addGroupSettings(group.command('update').description('change settings of a group, for its live sessions too'))
    .requiredOption(...oneGroup)
    .action(async (options) => (await import('./commands/group.ts')).updateGroupCommand(terminal, options))
  group
    .command('delete')
    .description('delete a group that has no identities')
    .requiredOption(...oneGroup)
    .option(...oneAccount)
    .action(async (options) => (await import('./commands/group.ts')).deleteGroupCommand(terminal, options))
}

function addGroupSettings(command: Command): Command {
  return command
    .option(...oneAccount)
    .option('--session-lifetime-seconds <seconds>', 'how long its identities stay signed in')
    .option('--session-idle-seconds <seconds>', 'a session ends when it was not used for this long; none: it does not')
    .option('--require-email', 'a registration must give an email')
    .option('--no-require-email', 'it need not')
    .option('--require-verified-email', 'only identities whose email is verified may log in')
    .option('--no-require-verified-email', 'all may')
    .option('--min-password-length <characters>', 'the fewest characters of a new password')
}

const asJson = ['--json', 'print JSON'] as const
const oneAccount = ['--account <name>', 'name or id of the account; required if there are several'] as const
const onlyAccount = ['--account <name>', 'only those of this account, by name or id'] as const
const oneIdentity = ['--identity <identity>', 'its id, or group/name; /name in the ungrouped space'] as const
const oneGroup = ['--group <group>', 'its id or name'] as const
const passwordFromStdin = ['--password-stdin', 'read the password from standard input'] as const
