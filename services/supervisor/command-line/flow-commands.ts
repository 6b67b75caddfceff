import { type Command, Option } from 'commander'
import { flowRunStatuses } from '#shared/domain/flow/run/run-record.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples, ofProfile } from './options.ts'

/** Commands for flows: in files without a server, and on a listd over HTTP as a signed-in user or with an API token. */
export function addFlowCommands(listd: Command, terminal: Terminal): void {
  const flows = listd
    .command('flows')
    .description('check, test, push and run flows, as a signed-in user or with an API token')
  addChecks(flows, terminal)
  addDefinitions(flows, terminal)
  addRuns(flows, terminal)
}

const ofLists = ['--schema <file>', 'a sync document with the lists that the flows name'] as const

function addChecks(flows: Command, terminal: Terminal): void {
  flows
    .command('check [files...]')
    .description('check flow documents and their tests as the server does, locally or on a server')
    .option(...ofLists)
    .option(...atServer)
    .option(...byTokenOrProfile)
    .option(...asJson)
    .addHelpText(
      ...examples(
        'listd flows check vote.json',
        'listd flows check flows/*.json --schema lists.json',
        'listd flows check --server',
      ),
    )
    .action(async (files, options) =>
      (await import('../remote/flows/check.ts')).checkFlowsCommand(terminal, files, options),
    )
  flows
    .command('test [files...]')
    .description('run the tests of flows in memory, locally or on a server')
    .option(...ofLists)
    .option(...atServer)
    .option(...byTokenOrProfile)
    .option(...asJson)
    .addHelpText(
      ...examples(
        'listd flows test vote.json',
        'listd flows test flows/*.json --schema lists.json',
        'listd flows test --server',
      ),
    )
    .action(async (files, options) =>
      (await import('../remote/flows/check.ts')).testFlowsCommand(terminal, files, options),
    )
}

const atServer = [
  '--server',
  'on a server, with its current lists, indexes and webhooks; without files, all its flows',
] as const

const byTokenOrProfile = [
  '--profile <name>',
  'the login profile to use; by default the API token LISTD_TOKEN, or the profile LISTD_PROFILE or "default"',
] as const

function addDefinitions(flows: Command, terminal: Terminal): void {
  flows
    .command('push <files...>')
    .description('create flows from files, or replace those with the same names')
    .option(...byTokenOrProfile)
    .option(...asJson)
    .addHelpText(...examples('listd flows push vote.json', 'listd flows push flows/*.json --profile staging'))
    .action(async (files, options) =>
      (await import('../remote/flows/push.ts')).pushFlowsCommand(terminal, files, options),
    )
  flows
    .command('pull [name]')
    .description('print a flow as a definition that "push" accepts, or write all flows to a folder')
    .option('--out <path>', 'write to this file; without a flow name, one file per flow in this folder')
    .option(...byTokenOrProfile)
    .addHelpText(...examples('listd flows pull Vote > vote.json', 'listd flows pull --out flows'))
    .action(async (name, options) =>
      (await import('../remote/flows/pull.ts')).pullFlowsCommand(terminal, name, options),
    )
}

function addRuns(flows: Command, terminal: Terminal): void {
  flows
    .command('runs [flow]')
    .description('list the newest runs of one flow or all flows, or show one run with its steps')
    .option('--run <id>', 'show this run')
    .addOption(new Option('--status <status>', 'only runs with this status').choices([...flowRunStatuses]))
    .option('--start-at <time>', 'only runs that started at this time or later')
    .option('--end-at <time>', 'only runs that started at this time or earlier')
    .option('--limit <count>', 'maximum number of results', '50')
    .option(...ofProfile)
    .option(...asJson)
    .addHelpText(
      ...examples(
        'listd flows runs Vote --status failed',
        'listd flows runs --run 01938e9a-4f6b-7c3a-9d2e-5b8f0a1c2d3e',
      ),
    )
    .action(async (flow, options) => (await import('../remote/flows/runs.ts')).flowRunsCommand(terminal, flow, options))
  flows
    .command('run <flow>')
    .description('run a flow, activated or not, and show the run')
    .option('--input <json>', 'the input: JSON, or the name of a file that contains it')
    .option('--dry-run', 'read stored data, but write and emit nothing')
    .option(...asIdentity)
    .option(...ofProfile)
    .option(...asJson)
    .addHelpText(
      ...examples(
        `listd flows run Vote --input '{"card": "c1"}' --identity members/ada --dry-run`,
        'listd flows run Vote --input card.json',
      ),
    )
    .action(async (flow, options) =>
      (await import('../remote/flows/run-by-name.ts')).runFlowCommand(terminal, flow, options),
    )
  flows
    .command('repeat <run>')
    .description('run the current version of a flow with the input of an earlier run, and show the new run')
    .option(...asIdentity)
    .option(...ofProfile)
    .option(...asJson)
    .addHelpText(...examples('listd flows repeat 01938e9a-4f6b-7c3a-9d2e-5b8f0a1c2d3e'))
    .action(async (run, options) =>
      (await import('../remote/flows/run-by-name.ts')).repeatRunCommand(terminal, run, options),
    )
}

const asIdentity = [
  '--identity <identity>',
  'the calling identity, by id or group/name; without it the call is anonymous',
] as const
