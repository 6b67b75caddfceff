import { type Command, Option } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples } from './options.ts'

/** Commands for the whole database, and for the keys that seal secrets in it. */
export function addDataCommands(listd: Command, terminal: Terminal): void {
  addMigrate(listd, terminal)
  addBackup(listd, terminal)
  const db = listd.command('db').description('work on whole databases')
  addCopy(db, terminal)
  addNewId(db, terminal)
  addCompact(db, terminal)
  addPartsIndex(db, terminal)
  addSecrets(
    listd.command('secrets').description('manage the keys that secrets in the database are sealed with'),
    terminal,
  )
}

function addMigrate(listd: Command, terminal: Terminal): void {
  listd
    .command('migrate')
    .description('upgrade the database schema to this version')
    .option('--status', 'only show the version and the pending steps')
    .option('--json', 'with --status: print JSON, also for errors')
    .option('--no-backup', 'do not back up a SQLite database first')
    .addOption(new Option('--setup-link').hideHelp())
    .addHelpText(...examples('listd migrate --status', 'listd migrate'))
    .action(async ({ status, ...options }) => {
      if (options.json && !status) throw new Error('--json can only be used with --status.')
      if (status) await (await import('../commands/database/migrate-status.ts')).printSchemaStatus(terminal, options)
      else await (await import('../commands/database/migrate.ts')).migrateDatabase(terminal, options)
    })
}

function addBackup(listd: Command, terminal: Terminal): void {
  listd
    .command('backup <file>')
    .description('back up the SQLite database to a new file, while listd runs')
    .addHelpText(...examples('listd backup "listd-$(date +%F).db"'))
    .action(async (file) => (await import('../commands/database/backup.ts')).backup(terminal, file))
  listd
    .command('restore <file>')
    .description('replace the SQLite database with a backup, while listd is stopped')
    .option('--replace', 'replace an existing database, which is kept under another name')
    .addHelpText(...examples('listd restore listd-2026-01-31.db', 'listd restore --replace listd-2026-01-31.db'))
    .action(async (file, options) => (await import('../commands/database/restore.ts')).restore(terminal, file, options))
}

function addCopy(db: Command, terminal: Terminal): void {
  db.command('copy')
    .description('copy the database to an empty one, of any kind, and compare both')
    .addOption(new Option('--to <address>', 'sqlite:<file>').conflicts('toFile'))
    .option('--to-file <file>', 'a file that contains the address, with user and password')
    .option('--restart', 'first delete what an unfinished copy left there')
    .addHelpText(...examples('listd db copy --to sqlite:copy.db', 'listd db copy --to-file postgres-url'))
    .action(async (options) =>
      (await import('../commands/database/database-copy.ts')).copyDatabaseCommand(terminal, options),
    )
}

function addNewId(db: Command, terminal: Terminal): void {
  db.command('new-id')
    .description('turn a copy into a separate installation, which can run next to the original')
    .addHelpText(...examples('listd db new-id'))
    .action(async () => (await import('../commands/database/database-id.ts')).newIdCommand(terminal))
}

function addCompact(db: Command, terminal: Terminal): void {
  db.command('compact')
    .description('return free space in the SQLite file to the disk, while listd is stopped')
    .option('--dry-run', 'only report how much space is free, and how much compacting needs')
    .addHelpText(...examples('listd db compact --dry-run', 'listd db compact'))
    .action(async (options) =>
      (await import('../commands/database/database-compact.ts')).compactCommand(terminal, options),
    )
}

function addPartsIndex(db: Command, terminal: Terminal): void {
  db.command('parts-index')
    .description('build an index of the parts of texts on Postgres, while listd runs')
    .option('--drop', 'drop the index, or what an unfinished build left')
    .addHelpText(...examples('listd db parts-index', 'listd db parts-index --drop'))
    .action(async (options) =>
      (await import('../commands/database/database-parts-index.ts')).partsIndexCommand(terminal, options),
    )
}

function addSecrets(secrets: Command, terminal: Terminal): void {
  secrets
    .command('status')
    .description('list the keys by their ids, and how many secrets each has sealed')
    .option(...asJson)
    .addHelpText(...examples('listd secrets status'))
    .action(async (options) => (await import('../commands/secrets.ts')).secretsStatusCommand(terminal, options))
  secrets
    .command('rotate')
    .description('replace the master key in the data directory with a new one, while listd runs')
    .addHelpText(...examples('listd secrets rotate'))
    .action(async () => (await import('../commands/secrets.ts')).rotateCommand(terminal))
  secrets
    .command('reseal')
    .description('reseal every secret with the first master key, while listd runs')
    .option('--give-up <ids...>', 'ids of lost keys: secrets sealed with them stay lost, and listd starts without them')
    .addHelpText(...examples('listd secrets reseal', 'listd secrets reseal --give-up 1a2b3c4d'))
    .action(async (options) => (await import('../commands/secrets.ts')).resealCommand(terminal, options))
}
