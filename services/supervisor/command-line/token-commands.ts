import { type Command, Option } from 'commander'
import type { Terminal } from '../terminal.ts'
import { asJson, examples, oneAccount, onlyAccount } from './options.ts'

/** Commands on API tokens. */
export function addTokens(token: Command, terminal: Terminal): void {
  addCreate(token, terminal)
  token
    .command('list')
    .description('list the API tokens, without their values')
    .option(...onlyAccount)
    .option(...asJson)
    .addHelpText(...examples('listd token list', 'listd token list --json --account staging'))
    .action(async (options) => (await import('../commands/token.ts')).listTokensCommand(terminal, options))
  addLocks(token, terminal)
}

function addCreate(token: Command, terminal: Terminal): void {
  token
    .command('create')
    .description('create an API token and print its value, which cannot be shown again')
    .option('--name <name>', 'what it is for', 'command line')
    .option(...oneAccount)
    .addOption(new Option('--allow-all', 'allow every action').conflicts('permissions'))
    .option('--permissions <json>', 'an array of rules, such as [{"mode":"allow","action":"view"}]')
    .addHelpText(
      ...examples(
        'listd token create --name ci --allow-all',
        'listd token create --name website --permissions \'[{"mode":"allow","action":"view"}]\'',
      ),
    )
    .action(async (options) => (await import('../commands/token.ts')).createTokenCommand(terminal, options))
}

function addLocks(token: Command, terminal: Terminal): void {
  for (const [name, locked, description] of [
    ['lock', true, 'refuse an API token, whatever the users of its account do'],
    ['unlock', false, 'accept a locked API token again'],
  ] as const) {
    token
      .command(name)
      .description(description)
      .requiredOption('--id <id>', 'its id, which "listd token list" shows')
      .option(...oneAccount)
      .addHelpText(...examples(`listd token ${name} --id 01968c11-3f5a-7cc0-9a1d-7c1a6f1e7f00`))
      .action(async (options) =>
        (await import('../commands/token.ts')).setTokenLockedCommand(terminal, { ...options, locked }),
      )
  }
}
