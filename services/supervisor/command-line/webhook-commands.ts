import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import { asJson, examples, ofProfile } from './options.ts'

/** Commands about webhooks, and about the event log that tells of everything in an account, for a signed-in user. */
export function addWebhookCommands(listd: Command, terminal: Terminal): void {
  const webhooks = listd
    .command('webhooks')
    .description('look at webhooks and what they are sent, as the user whom "listd login" has signed in')
  webhooks
    .command('list')
    .description('list the webhooks, and how they are')
    .option(...ofProfile)
    .option(...asJson)
    .addHelpText(...examples('listd webhooks list', 'listd webhooks list --json --profile staging'))
    .action(async (options) => (await import('../remote/webhooks/list.ts')).listWebhooksCommand(terminal, options))
  addEvents(listd, terminal)
}

function addEvents(listd: Command, terminal: Terminal): void {
  listd
    .command('events')
    .description('look at the account\'s event log, as the user whom "listd login" has signed in')
    .command('tail')
    .description('print the events of the account as they happen, until it is interrupted')
    .option('--stream <stream>', 'only events of this kind of resource, such as item or webhook')
    .option('--type <type>', 'only events of this type, such as item-created or starts:webhook-')
    .option('--start-at <time>', 'begin with the events since this time')
    .option(...ofProfile)
    .option('--json', 'print each event as JSON on a line')
    .addHelpText(
      ...examples('listd events tail --stream webhook', 'listd events tail --json --start-at 2027-01-31T12:00:00Z'),
    )
    .action(async (options) => (await import('../remote/events/tail.ts')).tailEventsCommand(terminal, options))
}
