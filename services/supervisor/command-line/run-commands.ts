import { Argument, type Command, Option } from 'commander'
import { serviceNames } from '../service-names.ts'
import { examples } from './options.ts'

/** Commands that run listd and look at how it runs. */
export function addRunCommands(listd: Command): void {
  addStart(listd)
  addService(listd)
}

function addStart(listd: Command): void {
  listd
    .command('start')
    .description('run everything on this machine: nats-server, all services, SQLite in the data directory')
    .addHelpText(...examples('listd start'))
    .action(async () => (await import('../commands/start.ts')).start())
}

function addService(listd: Command): void {
  listd
    .command('service')
    .description('run one service in this process')
    .addArgument(new Argument('<name>', 'which one').choices(serviceNames))
    .addOption(new Option('--instance <id>').hideHelp())
    .addOption(new Option('--replaces <ids...>').hideHelp())
    .addHelpText(...examples('listd service gateway'))
    .action(async (name, options) => (await import('../commands/service.ts')).service(name, options))
}
