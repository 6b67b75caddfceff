import { existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { keyIdOf } from '#shared/crypto/key-text.ts'
import { hasCode, isMissingTable } from '#shared/data/database-errors.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { readSettings, snapshotFile } from '#shared/data/drivers/sqlite/files.ts'
import { nameDurably } from '#shared/files/rename-durably.ts'
import { recordBackup } from '../../last-backup.ts'
import { serverTool } from '../../processes/server-tool.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/**
 * `listd backup`: a consistent copy of the SQLite database as one file, while listd runs. It holds the ids of the master keys but not
 * the keys, so a person who gets the file cannot open the secrets.
 * @throws Error with a sentence when the file exists, or when the database is on a server; the sentence then names the server's tool
 */
export async function backup(terminal: Terminal, file: string): Promise<void> {
  const config = loadConfig({ env: terminal.env })
  const target = resolve(file)
  const source = sourceOf(config, file)
  assertFree(target)
  const draft = `${target}.${process.pid}`
  try {
    await snapshotFile(source, draft)
    const { version = '0', secretsCheck, oldKeys } = await readSettings(draft).catch(withoutSchema(source))
    const mib = ((await stat(draft)).size / 1024 ** 2).toFixed(1)
    await nameDurably(draft, target).catch((error: unknown) => {
      throw hasCode(error, ['EEXIST']) ? alreadyThere(target) : error
    })
    // The data directory need not exist when the database is elsewhere.
    await recordBackup(config.dataDir, Date.now()).catch(() => {})
    terminal.stderr.write(`Backed up the database to ${target} (${mib} MiB, schema version ${version}).\n`)
    const keyIds = [...(secretsCheck === undefined ? [] : [keyIdOf(secretsCheck)]), ...(oldKeys?.split(' ') ?? [])]
    if (keyIds.length > 0) terminal.stderr.write(keyHint(keyIds))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Otherwise a database that was created by mistake would count as backed up. */
function withoutSchema(source: string): (error: unknown) => never {
  return (error) => {
    if (!isMissingTable(error)) throw error
    throw new Error(`there is nothing to back up: ${source} has no schema of listd.`)
  }
}

const keyHint = (keyIds: readonly string[]) =>
  `The master key is not in it, and a restore needs it: keep a copy elsewhere. Its id is ${keyIds.join(' and ')}.\n`

function sourceOf({ database: { url }, dataDir }: Config, file: string): string {
  const source = databaseFile({ url, dataDir })
  if (source === null) {
    const { place, dump } = serverTool(url)
    throw new Error(`${place}: back it up with "${dump(file)}", or copy it with "listd db copy --to sqlite:FILE".`)
  }
  if (!existsSync(source)) throw new Error(`there is no database to back up: ${source} does not exist.`)
  return source
}

function assertFree(file: string): void {
  if (existsSync(file)) throw alreadyThere(file)
  if (!existsSync(dirname(file))) throw new Error(`${file} cannot be created: its folder does not exist.`)
}

function alreadyThere(file: string): Error {
  return new Error(`${file} exists already. Choose another name, or delete it first.`)
}
