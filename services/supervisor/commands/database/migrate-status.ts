import { existsSync } from 'node:fs'
import { loadConfig } from '#shared/config/load.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { type SchemaStatus, schemaStatus } from '#shared/data/migrate.ts'
import { exitCodes } from '../../terminal/command-failed.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withDatabase } from './database.ts'

/**
 * `listd migrate --status`: the version of the schema and what a migration would do; read-only. Exit code 0 when this listd supports
 * the schema, 10 when a migration has steps to apply, and 11 when the schema needs a newer listd.
 */
export async function printSchemaStatus(terminal: Terminal, { json }: { json?: true }): Promise<void> {
  const { database, dataDir } = loadConfig({ env: terminal.env })
  const file = databaseFile({ url: database.url, dataDir })
  if (file !== null && !existsSync(file)) {
    terminal.stdout.write(
      json ? 'null\n' : `There is no database yet: "listd start" or "listd migrate" creates ${file}.\n`,
    )
    terminal.exitCode = exitCodeOf['too-old']
    return
  }
  await withDatabase(terminal, async ({ db }) => {
    const status = await schemaStatus(db)
    terminal.stdout.write(json ? formatJson(status) : `${describeStatus(status)}\n`)
    terminal.exitCode = exitCodeOf[status.state]
  })
}

const exitCodeOf: Readonly<Record<SchemaStatus['state'], number>> = {
  fits: 0,
  'too-old': exitCodes.changesPending,
  'too-new': exitCodes.schemaTooNew,
}

function describeStatus({ version, compatibleFrom, codeVersion, waiting, state }: SchemaStatus): string {
  if (state === 'too-new') {
    return `The schema is at version ${version} and needs a listd that supports version ${compatibleFrom}; this one supports versions up to ${codeVersion}.`
  }
  if (state === 'fits') return `The schema is at version ${version}, which this listd supports. There is nothing to do.`
  return `The schema is at version ${version}; "listd migrate" or "listd start" applies the steps ${waiting.join(', ')}.`
}
