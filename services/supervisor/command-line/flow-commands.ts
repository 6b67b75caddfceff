import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import { asJson, examples } from './options.ts'

/** Commands on flows: in files without a server, and at a listd over HTTP. */
export function addFlowCommands(listd: Command, terminal: Terminal): void {
  const flows = listd.command('flows').description('check and test flows in files')
  addChecks(flows, terminal)
}

const ofLists = ['--schema <file>', 'a sync document with the lists that the flows name'] as const

function addChecks(flows: Command, terminal: Terminal): void {
  flows
    .command('check <files...>')
    .description('check flow documents and their tests as the server does, without a server')
    .option(...ofLists)
    .option(...asJson)
    .addHelpText(...examples('listd flows check vote.json', 'listd flows check flows/*.json --schema lists.json'))
    .action(async (files, options) =>
      (await import('../remote/flows/check.ts')).checkFlowsCommand(terminal, files, options),
    )
  flows
    .command('test <files...>')
    .description('run the tests of flows in memory, without a server')
    .option(...ofLists)
    .option(...asJson)
    .addHelpText(...examples('listd flows test vote.json', 'listd flows test flows/*.json --schema lists.json'))
    .action(async (files, options) =>
      (await import('../remote/flows/check.ts')).testFlowsCommand(terminal, files, options),
    )
}
