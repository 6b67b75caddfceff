import { type Command, Option } from 'commander'
import { attemptErrors, deliveryStatuses } from '#shared/domain/webhook/deliveries/delivery.ts'
import { settledStatuses } from '#shared/domain/webhook/deliveries/redelivery.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples, ofProfile, unasked } from './options.ts'

/** Commands for webhooks, and for the event log of an account, as a signed-in user. */
export function addWebhookCommands(listd: Command, terminal: Terminal): void {
  const webhooks = listd
    .command('webhooks')
    .description('inspect webhooks and their deliveries, as the user signed in with "listd login"')
  webhooks
    .command('list')
    .description('list the webhooks and their state')
    .option(...ofProfile)
    .option(...asJson)
    .addHelpText(...examples('listd webhooks list', 'listd webhooks list --json --profile staging'))
    .action(async (options) => (await import('../remote/webhooks/list.ts')).listWebhooksCommand(terminal, options))
  addDeliveries(webhooks, terminal)
  addRedeliver(webhooks, terminal)
  addListen(webhooks, terminal)
  addEvents(listd, terminal)
}

function addDeliveries(webhooks: Command, terminal: Terminal): void {
  withFilters(
    webhooks.command('deliveries [webhook]').description('list the newest deliveries of one webhook or of all'),
  )
    .addOption(new Option('--status <status>', 'only those with this status').choices([...deliveryStatuses]))
    .option('--limit <count>', 'maximum number of results', '50')
    .option(...ofProfile)
    .option(...asJson)
    .addHelpText(
      ...examples(
        'listd webhooks deliveries --status failed --start-at 2027-01-31T22:00:00Z',
        'listd webhooks deliveries --response-status 5xx --json',
      ),
    )
    .action(async (webhook, options) =>
      (await import('../remote/webhooks/deliveries.ts')).deliveriesCommand(terminal, webhook, options),
    )
}

function addRedeliver(webhooks: Command, terminal: Terminal): void {
  const description = 'redeliver deliveries of one webhook or of all that match the filters; counts them and asks first'
  withFilters(webhooks.command('redeliver [webhook]').description(description))
    .addOption(
      new Option(
        '--status <status>',
        'those that failed permanently, or all settled ones, including those that succeeded',
      )
        .choices([...settledStatuses])
        .default('failed'),
    )
    .option('--dry-run', 'only count them')
    .option(...unasked)
    .option(...ofProfile)
    .option(...asJson)
    .addHelpText(
      ...examples(
        'listd webhooks redeliver --start-at 2027-01-31T22:00:00Z --dry-run',
        'listd webhooks redeliver --error timeout --start-at 2027-01-31T22:00:00Z --yes',
      ),
    )
    .action(async (webhook, options) =>
      (await import('../remote/webhooks/redeliver.ts')).redeliverCommand(terminal, webhook, options),
    )
}

function addListen(webhooks: Command, terminal: Terminal): void {
  webhooks
    .command('listen <webhook>')
    .description(
      'also forward the deliveries of a webhook to a program on this machine, freshly signed, until interrupted',
    )
    .requiredOption('--to <url>', 'the address of the program; http only on this machine or in a private network')
    .option(...ofProfile)
    .option('--json', 'print the outcome of each delivery as a line of JSON')
    .addHelpText(
      ...examples('listd webhooks listen 01938e9a-4f6b-7c3a-9d2e-5b8f0a1c2d3e --to http://localhost:3000/hook'),
    )
    .action(async (webhook, options) =>
      (await import('../remote/webhooks/listen.ts')).listenCommand(terminal, webhook, options),
    )
}

function withFilters(command: Command): Command {
  return command
    .option('--event <type>', 'only those of this event type, such as item.created')
    .option('--item <id>', 'only those for events of this item')
    .addOption(
      new Option('--error <error>', 'only those whose last attempt got no response, for this reason').choices([
        ...attemptErrors,
      ]),
    )
    .option('--response-status <status>', 'only those whose last response had this status, such as 502 or 5xx')
    .option('--start-at <time>', 'only those created at this time or later')
    .option('--end-at <time>', 'only those created at this time or earlier')
}

function addEvents(listd: Command, terminal: Terminal): void {
  listd
    .command('events')
    .description('read the account\'s event log, as the user signed in with "listd login"')
    .command('tail')
    .description('print the events of the account as they happen, until interrupted')
    .option('--stream <stream>', 'only events of this kind of resource, such as item or webhook')
    .option('--type <type>', 'only events of this type, such as item-created or starts:webhook-')
    .option('--list <list>', 'only events of this list, of its items and of its indexes')
    .option('--start-at <time>', 'start with the events since this time')
    .option(...ofProfile)
    .option('--json', 'print each event as a line of JSON')
    .addHelpText(
      ...examples('listd events tail --stream webhook', 'listd events tail --json --start-at 2027-01-31T12:00:00Z'),
    )
    .action(async (options) => (await import('../remote/events/tail.ts')).tailEventsCommand(terminal, options))
}
