import { Argument, type Command, Option } from 'commander'
import { serviceNames } from '../processes/service-names.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { examples } from './options.ts'

/** Commands that run listd and inspect it. */
export function addRunCommands(listd: Command, terminal: Terminal): void {
  addStart(listd, terminal)
  addService(listd)
}

function addStart(listd: Command, terminal: Terminal): void {
  listd
    .command('start')
    .description('run everything on this machine: nats-server, all services, SQLite in the data directory')
    .option('--data-dir <folder>', 'the data directory, instead of LISTD_DATA_DIR')
    .option('--host <address>', 'the address that the API listens on, instead of LISTD_GATEWAY_HOST')
    .option('--port <port>', 'the port of the API, instead of LISTD_GATEWAY_PORT; 0: any free port')
    .addHelpText(...examples('listd start', 'listd start --port 8080 --data-dir /srv/listd'))
    .action(async (options) => (await import('../commands/start.ts')).start(terminal, options))
}

function addService(listd: Command): void {
  listd
    .command('service')
    .description('run one service in this process')
    .addArgument(new Argument('<name>', 'the service').choices(serviceNames))
    .addOption(new Option('--instance <id>').hideHelp())
    .addOption(new Option('--replaces <ids...>').hideHelp())
    .addHelpText(...examples('listd service gateway'))
    .action(async (name, options) => (await import('../commands/service.ts')).service(name, options))
}
