import { constants, existsSync } from 'node:fs'
import { chmod, copyFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { openSealer } from '#shared/crypto/seal.ts'
import { lockDataDirectory } from '#shared/data/data-directory-lock.ts'
import type { Database } from '#shared/data/database.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { findDamage, hasData, moveDatabaseFile } from '#shared/data/drivers/sqlite/files.ts'
import { assertNotTooNew, schemaStatus } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { checkMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { renameDurably } from '#shared/files/rename-durably.ts'
import { keyPath, readMasterKey } from '../../master-key.ts'
import { serverTool } from '../../processes/server-tool.ts'
import { oldKeyPath } from '../../secrets/key-file.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/**
 * `listd restore`: replaces the SQLite database with a backup, after checking that the backup is intact, that this version knows its
 * schema, and that the available master keys open its secrets. Until then nothing is changed.
 * @param options.replace moves an existing database out of the way
 */
export async function restore(terminal: Terminal, file: string, options: { replace?: true }): Promise<void> {
  const config = loadConfig({ env: terminal.env })
  const source = resolve(file)
  const target = targetOf(config, file)
  if (!existsSync(source)) throw new Error(`there is no backup ${source}.`)
  const lock = await lockDataDirectory(config.dataDir)
  try {
    if (hasData(target) && !options.replace) {
      throw new Error(`a database already exists: ${target}. Add --replace to keep it as ${replacedName(target)}.`)
    }
    const draft = `${target}.restoring`
    try {
      const version = await copyChecked({ source, draft, config })
      await putInPlace(terminal, draft, target)
      terminal.stderr.write(
        `Restored ${source} to ${target}, schema version ${version}. "listd start" continues from it.\n`,
      )
    } finally {
      for (const suffix of ['', '-wal', '-shm']) await rm(draft + suffix, { force: true })
    }
  } finally {
    await lock.release()
  }
}

function targetOf({ database: { url }, dataDir }: Config, file: string): string {
  const target = databaseFile({ url, dataDir })
  if (target !== null) return target
  throw new Error(`${serverTool(url).place}: restore a backup of its own tool with "${serverTool(url).restore(file)}".`)
}

/** A name that is not in use, so that the file that an earlier restore kept stays. */
function replacedName(target: string): string {
  const names = [`${target}.replaced`, ...Array.from({ length: maxReplaced }, (_, n) => `${target}.replaced-${n + 2}`)]
  const free = names.find((name) => !existsSync(name))
  if (free) return free
  throw new Error(`there are ${names.length} replaced databases, such as ${names[0]}: delete some first.`)
}

const maxReplaced = 99

/** @returns the version of the schema. @throws Error with a sentence when the backup cannot be used here */
async function copyChecked(of: { source: string; draft: string; config: Config }): Promise<number> {
  const { source, draft, config } = of
  await rm(draft, { force: true })
  await copyFile(source, draft, constants.COPYFILE_EXCL)
  await chmod(draft, 0o600)
  const damage = await findDamage(draft)
  if (damage !== null) throw new Error(`${source} is damaged or is not a backup: ${damage}.`)
  const db = await openDatabase({ url: `sqlite:${draft}`, dataDir: config.dataDir, readers: 1 })
  try {
    const status = await schemaStatus(db)
    if (status.version === 0) throw new Error(`${source} is not a backup of listd: it has no schema version.`)
    assertNotTooNew(status)
    await assertKeyFits(db, config)
    return status.version
  } finally {
    await db.close()
  }
}

/** Without the keys that sealed them, the signing secrets of webhooks are lost, and listd would not start. */
async function assertKeyFits(db: Database, config: Config): Promise<void> {
  const text = await readMasterKey(config)
  const sealer = text === null ? null : openSealer(text)
  const { missing } = await checkMasterKey(db, sealer)
  if (missing.length === 0) return
  const here = sealer ? `only ${sealer.keyIds().join(' and ')} is available` : 'no key is available'
  throw new Error(
    `the backup needs the master key ${missing.join(' and ')}, but ${here}. Add that key as another line to ` +
      `${keyPath(config)}, or to LISTD_SECRETS_MASTER_KEY after a comma, and restore again.${keptHint(config, missing)}`,
  )
}

/** A rotation leaves the previous key in a separate file. */
function keptHint(config: Config, keyIds: readonly string[]): string {
  const files = keyIds.map((keyId) => oldKeyPath(keyPath(config), keyId)).filter((file) => existsSync(file))
  return files.length === 0 ? '' : ` It is in ${files.join(' and ')}.`
}

async function putInPlace(terminal: Terminal, draft: string, target: string): Promise<void> {
  const kept = replacedName(target)
  const moved = await moveDatabaseFile(target, kept)
  await renameDurably(draft, target)
  if (moved) terminal.stderr.write(`The database that was there is kept as ${kept}.\n`)
}
