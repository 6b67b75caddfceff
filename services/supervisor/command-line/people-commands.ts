import type { Command } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples, oneAccount, onlyAccount, passwordFromStdin, unasked } from './options.ts'
import { addTokens } from './token-commands.ts'

/** Commands for accounts, and for who may do what in them. */
export function addPeopleCommands(listd: Command, terminal: Terminal): void {
  addAccounts(listd.command('account').description('manage accounts, which own everything else'), terminal)
  addUsers(listd.command('user').description('manage the users who sign in to an account'), terminal)
  addTokens(listd.command('token').description('manage API tokens'), terminal)
  addIdentities(listd.command('identity').description('manage the identities of an account'), terminal)
  addGroups(listd.command('group').description('manage the groups of identities'), terminal)
}

function addAccounts(account: Command, terminal: Terminal): void {
  account
    .command('create')
    .description('create an account; prints its id')
    .requiredOption('--name <name>', 'its name, unique among accounts')
    .addHelpText(...examples('listd account create --name staging'))
    .action(async (options) => (await import('../commands/people/account.ts')).createAccountCommand(terminal, options))
  account
    .command('list')
    .description('list the accounts')
    .option(...asJson)
    .addHelpText(...examples('listd account list --json'))
    .action(async (options) => (await import('../commands/people/account.ts')).listAccountsCommand(terminal, options))
  account
    .command('set-plan')
    .description('move an account to another price plan')
    .requiredOption('--plan <plan>', 'the id of the plan')
    .option(...oneAccount)
    .addHelpText(...examples('listd account set-plan --plan free --account staging'))
    .action(async (options) => (await import('../commands/people/account.ts')).setPlanCommand(terminal, options))
  account
    .command('add-credits')
    .description('give an account requests in addition to its plan; a negative number removes some')
    .requiredOption('--credits <number>', 'the number of requests')
    .option(...oneAccount)
    .addHelpText(...examples('listd account add-credits --credits 100000 --account staging'))
    .action(async (options) => (await import('../commands/people/account.ts')).addCreditsCommand(terminal, options))
  account
    .command('recount')
    .description(
      'recount the bytes of the items; needed after an upgrade during which gateways of the previous version ran',
    )
    .option(...oneAccount)
    .addHelpText(...examples('listd account recount --account staging'))
    .action(async (options) => (await import('../commands/people/account.ts')).recountCommand(terminal, options))
}

function addUsers(user: Command, terminal: Terminal): void {
  user
    .command('create')
    .description('create a user, and the first account if there is none; prompts for the password, prints the id')
    .requiredOption('--email <email>', 'the email address to sign in with')
    .option(...oneAccount)
    .option(...passwordFromStdin)
    .addHelpText(...examples('listd user create --email you@example.com'))
    .action(async (options) => (await import('../commands/people/user.ts')).createUserCommand(terminal, options))
  user
    .command('list')
    .description('list the users')
    .option(...onlyAccount)
    .option(...asJson)
    .addHelpText(...examples('listd user list --account staging'))
    .action(async (options) => (await import('../commands/people/user.ts')).listUsersCommand(terminal, options))
  user
    .command('set-password')
    .description("set a user's password and end their sessions; prompts for the password")
    .requiredOption(...oneUser)
    .option(...passwordFromStdin)
    .addHelpText(
      ...examples(
        'listd user set-password --email you@example.com',
        'listd user set-password --email you@example.com --password-stdin < password-file',
      ),
    )
    .action(async (options) =>
      (await import('../commands/people/set-password.ts')).setPasswordCommand(terminal, options),
    )
  addUserAccess(user, terminal)
}

const oneUser = ['--email <email>', 'the email address of the user'] as const
const evenTheLast = ['--force', 'even if no user could then sign in to the account'] as const

function addUserAccess(user: Command, terminal: Terminal): void {
  user
    .command('disable')
    .description('keep a user from signing in, and end their sessions')
    .requiredOption(...oneUser)
    .option(...evenTheLast)
    .option(...asJson)
    .addHelpText(...examples('listd user disable --email mallory@example.com'))
    .action(async (options) =>
      (await import('../commands/people/user-access.ts')).disableUserCommand(terminal, options),
    )
  user
    .command('enable')
    .description('let a disabled user sign in again')
    .requiredOption(...oneUser)
    .option(...asJson)
    .addHelpText(...examples('listd user enable --email mallory@example.com'))
    .action(async (options) => (await import('../commands/people/user-access.ts')).enableUserCommand(terminal, options))
  user
    .command('delete')
    .description('delete a user, after confirmation, and end their sessions')
    .requiredOption(...oneUser)
    .option(...evenTheLast)
    .option(...unasked)
    .option(...asJson)
    .addHelpText(...examples('listd user delete --email mallory@example.com --yes'))
    .action(async (options) => (await import('../commands/people/user-access.ts')).deleteUserCommand(terminal, options))
}

const oneIdentity = ['--identity <identity>', 'its id, or group/name; /name in the ungrouped space'] as const

function addIdentities(identity: Command, terminal: Terminal): void {
  identity
    .command('list')
    .description('list the identities')
    .option(...onlyAccount)
    .option('--group <name>', "only those of this group; '' is the ungrouped space")
    .option(...asJson)
    .addHelpText(...examples('listd identity list --group members'))
    .action(async (options) =>
      (await import('../commands/people/identity.ts')).listIdentitiesCommand(terminal, options),
    )
  identity
    .command('set-password')
    .description("set an identity's password and end its sessions; prompts for the password")
    .requiredOption(...oneIdentity)
    .option(...oneAccount)
    .option(...passwordFromStdin)
    .addHelpText(...examples('listd identity set-password --identity members/ada'))
    .action(async (options) =>
      (await import('../commands/people/identity.ts')).setIdentityPasswordCommand(terminal, options),
    )
  identity
    .command('deactivate')
    .description('keep an identity from signing in, and end its sessions')
    .requiredOption(...oneIdentity)
    .option(...oneAccount)
    .addHelpText(...examples('listd identity deactivate --identity members/mallory'))
    .action(async (options) =>
      (await import('../commands/people/identity.ts')).deactivateIdentityCommand(terminal, options),
    )
}

const oneGroup = ['--group <group>', 'its id or name'] as const

function addGroups(group: Command, terminal: Terminal): void {
  group
    .command('list')
    .description('list the groups of identities with their settings')
    .option(...onlyAccount)
    .option(...asJson)
    .addHelpText(...examples('listd group list'))
    .action(async (options) => (await import('../commands/people/group.ts')).listGroupsCommand(terminal, options))
  withGroupSettings(group.command('create'))
    .description('create a group before its first registration; prints its id')
    .requiredOption('--name <name>', 'its name, which cannot be changed')
    .addHelpText(...examples('listd group create --name members --require-verified-email'))
    .action(async (options) => (await import('../commands/people/group.ts')).createGroupCommand(terminal, options))
  withGroupSettings(group.command('update'))
    .description('change settings of a group, also for its live sessions')
    .requiredOption(...oneGroup)
    .addHelpText(...examples('listd group update --group members --min-password-length 12'))
    .action(async (options) => (await import('../commands/people/group.ts')).updateGroupCommand(terminal, options))
  group
    .command('delete')
    .description('delete a group that has no identities')
    .requiredOption(...oneGroup)
    .option(...oneAccount)
    .addHelpText(...examples('listd group delete --group members'))
    .action(async (options) => (await import('../commands/people/group.ts')).deleteGroupCommand(terminal, options))
}

function withGroupSettings(command: Command): Command {
  return command
    .option(...oneAccount)
    .option('--session-lifetime-seconds <seconds>', 'how long its identities stay signed in')
    .option('--session-idle-seconds <seconds>', 'end sessions that were not used for this long; none: never')
    .option('--require-email', 'a registration must include an email')
    .option('--no-require-email', 'a registration need not include an email')
    .option('--require-verified-email', 'only identities whose email is verified may log in')
    .option('--no-require-verified-email', 'all identities may log in')
    .option('--min-password-length <characters>', 'the minimum number of characters in a new password')
}
