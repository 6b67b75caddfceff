import { existsSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { keyIdOf } from '#shared/crypto/key-text.ts'
import { hasCode, isMissingTable } from '#shared/data/database-errors.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { readSettings, snapshotFile } from '#shared/data/drivers/sqlite/files.ts'
import { noteBackup } from '../last-backup.ts'
import { serverTool } from '../server-tool.ts'
import type { Terminal } from '../terminal.ts'

/**
 * `listd backup`: a consistent copy of the SQLite database as one file, while listd runs. The master key is not in it, so that
 * whoever gets the file cannot open the secrets; the ids of the keys are.
 * @throws Error with a sentence when the file exists, or the database is on a server, whose own tool is named
 */
export async function backup(terminal: Terminal, file: string): Promise<void> {
  const config = loadConfig({ env: terminal.env })
  const target = resolve(file)
  const source = sourceOf(config, file)
  await reserve(target)
  try {
    await snapshotFile(source, target)
    const { version = '0', secretsCheck, oldKeys } = await readSettings(target).catch(withoutSchema(source))
    // A data directory without a database of its own need not be there.
    await noteBackup(config.dataDir, Date.now()).catch(() => {})
    const mib = ((await stat(target)).size / 1024 ** 2).toFixed(1)
    terminal.stderr.write(`Backed up the database to ${target} (${mib} MiB, schema version ${version}).\n`)
    const keyIds = [...(secretsCheck === undefined ? [] : [keyIdOf(secretsCheck)]), ...(oldKeys?.split(' ') ?? [])]
    if (keyIds.length > 0) terminal.stderr.write(keyHint(keyIds))
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
}

/** Without this a database that was made by mistake would count as backed up. */
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

/** Makes the file under its name, so that of two backups to the same one only the first goes on. */
async function reserve(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) throw new Error(`${file} exists already. Choose another name, or delete it first.`)
    if (hasCode(error, ['ENOENT'])) throw new Error(`${file} cannot be made: its folder does not exist.`)
    throw error
  }
}
