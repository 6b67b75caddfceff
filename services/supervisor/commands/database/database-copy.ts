import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Config } from '#shared/config/load.ts'
import { isDatabaseUrl } from '#shared/config/schema.ts'
import { copyDatabase, type Progress } from '#shared/data/copy/copy-database.ts'
import { isDataDirectoryLocked } from '#shared/data/data-directory-lock.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { checkMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { throwNaming } from '#shared/files/with-file-name.ts'
import { listing } from '../../terminal/listing.ts'
import { createProgressLine } from '../../terminal/progress-line.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type CommandContext, withSchema } from './database.ts'

export type CopyOptions = { to?: string; toFile?: string; restart?: true }

/** With --restart one statement empties a table of any size. */
const statementMs = 3_600_000

/**
 * `listd db copy`: copies the database to an empty one of any kind, and compares both. The address of a server is read from a
 * file, because it holds a password.
 */
export async function copyDatabaseCommand(terminal: Terminal, options: CopyOptions): Promise<void> {
  const url = await readTarget(options)
  await withSchema(terminal, async ({ config, db: source }) => {
    await warnIfRunning(terminal, config)
    const { tls, caFile } = config.database
    const target = await openDatabase({ url, tls, caFile, statementMs, dataDir: config.dataDir, readers: 1 })
    try {
      const line = createProgressLine(terminal)
      const onProgress = ({ table, rows, of }: Progress) => line.show(`${table}: ${rows} of ${of} rows`)
      const restart = options.restart === true
      const copied = await copyDatabase({ source, target, restart, onProgress }).finally(line.clear)
      const columns = { table: 'table', rows: 'rows', 'sha-256': 'checksum' } as const
      terminal.stdout.write(listing(copied, { columns }))
      await reportKey(terminal, source)
    } finally {
      await target.close()
    }
  })
}

/** @throws Error with a sentence that never shows the address, whose password may be anywhere in it */
async function readTarget({ to, toFile }: CopyOptions): Promise<string> {
  if (to !== undefined) {
    if (/^sqlite:.+/.test(to)) return `sqlite:${resolve(to.slice('sqlite:'.length))}`
    throw new Error(
      '--to must be sqlite:<file>. Other users can see arguments: pass the address of a server with --to-file.',
    )
  }
  if (toFile === undefined)
    throw new Error('use --to sqlite:<file>, or --to-file with a file that contains the address.')
  const url = (await readFile(toFile, 'utf8').catch(throwNaming(toFile))).trim()
  if (url !== '' && isDatabaseUrl(url)) return url
  throw new Error(
    `${toFile} must contain sqlite:<file>, or postgres://… or mysql://… with a host and a database and without parameters.`,
  )
}

async function warnIfRunning(terminal: Terminal, { dataDir }: Config): Promise<void> {
  if (!(await isDataDirectoryLocked(dataDir))) return
  terminal.stderr.write('A listd is running: later changes are not in the copy.\n')
}

async function reportKey(terminal: Terminal, source: CommandContext['db']): Promise<void> {
  terminal.stderr.write('Both databases contain the same rows.\n')
  const { missing } = await checkMasterKey(source, null)
  if (missing.length > 0)
    terminal.stderr.write(`The copy needs the same master key, whose id is ${missing.join(' and ')}.\n`)
}
