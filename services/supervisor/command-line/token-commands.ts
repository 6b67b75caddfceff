import { type Command, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples, oneAccount, onlyAccount, unasked } from './options.ts'

/** Commands for API tokens. */
export function addTokens(token: Command, terminal: Terminal): void {
  addCreate(token, terminal)
  token
    .command('list')
    .description('list the API tokens, without their values')
    .option(...onlyAccount)
    .option(...asJson)
    .addHelpText(...examples('listd token list', 'listd token list --json --account staging'))
    .action(async (options) => (await import('../commands/tokens/token.ts')).listTokensCommand(terminal, options))
  addRules(token, terminal)
  addLocks(token, terminal)
  addEndings(token, terminal)
}

function addCreate(token: Command, terminal: Terminal): void {
  token
    .command('create')
    .description('create an API token and print its value, which cannot be shown again')
    .option('--name <name>', 'what it is for', 'command line')
    .option(...oneAccount)
    .addOption(new Option('--allow-all', 'allow every action').conflicts('permissions'))
    .option('--permissions <json>', 'an array of rules, such as [{"mode":"allow","action":"view"}]')
    .option('--expires <when>', 'a date such as 2027-01-31, a time with its zone, or a time from now: 12h, 30d, 4w')
    .option('--ips <networks>', 'where it may be used from: addresses or networks, separated by commas')
    .option(...asJson)
    .addHelpText(
      ...examples(
        'listd token create --name ci --allow-all --expires 30d',
        'listd token create --name website --ips 203.0.113.7,10.0.0.0/8 --permissions \'[{"mode":"allow","action":"view"}]\'',
      ),
    )
    .action(async (options) =>
      (await import('../commands/tokens/token-create.ts')).createTokenCommand(terminal, options),
    )
}

const oneToken = ['--id, --token <token>', 'its id, or its name if no other token has it'] as const

function addRules(token: Command, terminal: Terminal): void {
  token
    .command('rules')
    .description('print the rules of an API token as JSON, or set them from a file')
    .requiredOption(...oneToken)
    .option('--set <file>', 'a JSON file with the new array of rules')
    .option(...oneAccount)
    .option(...asJson)
    .addHelpText(
      ...examples('listd token rules --token app > rules.json', 'listd token rules --token app --set rules.json'),
    )
    .action(async (options) => (await import('../commands/tokens/token-rules.ts')).tokenRulesCommand(terminal, options))
}

function addLocks(token: Command, terminal: Terminal): void {
  for (const [name, locked, description] of [
    ['lock', true, 'reject an API token; users of its account cannot undo this'],
    ['unlock', false, 'accept a locked API token again'],
  ] as const) {
    token
      .command(name)
      .description(description)
      .requiredOption(...oneToken)
      .option(...oneAccount)
      .option(...asJson)
      .addHelpText(...examples(`listd token ${name} --token ci`))
      .action(async (options) =>
        (await import('../commands/tokens/token.ts')).setTokenLockedCommand(terminal, { ...options, locked }),
      )
  }
}

/** Both invalidate the current value of the token. */
function addEndings(token: Command, terminal: Terminal): void {
  token
    .command('rotate')
    .description('give an API token a new value and print it, after confirmation; the old value becomes invalid')
    .requiredOption(...oneToken)
    .option(...oneAccount)
    .option(...unasked)
    .option(...asJson)
    .addHelpText(...examples('listd token rotate --token ci --yes'))
    .action(async (options) => (await import('../commands/tokens/token.ts')).rotateTokenCommand(terminal, options))
  token
    .command('delete')
    .description('delete an API token, after confirmation')
    .requiredOption(...oneToken)
    .option(...oneAccount)
    .option(...unasked)
    .option(...asJson)
    .addHelpText(...examples('listd token delete --token ci', 'listd token delete --token ci --account staging --yes'))
    .action(async (options) => (await import('../commands/tokens/token.ts')).deleteTokenCommand(terminal, options))
}
