import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadConfig } from '#shared/config/load.ts'
import { lockDataDirectory } from '#shared/data/data-directory-lock.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { compactFile, type FileSpace, readSpace } from '#shared/data/drivers/sqlite/files.ts'
import { serverTool } from '../../processes/server-tool.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/**
 * `listd db compact`: gives the free pages of the SQLite file back to the disk, while no listd runs: all of the file is written anew,
 * and every write of a service would wait for that and fail. With `--dry-run` it only reports what it would free.
 * @throws Error with a sentence when a listd runs, or the disk has too little room
 */
export async function compactCommand(terminal: Terminal, { dryRun }: { dryRun?: true }): Promise<void> {
  const { database, dataDir } = loadConfig({ env: terminal.env })
  const file = databaseFile({ url: database.url, dataDir })
  if (file === null) {
    terminal.stderr.write(
      `There is nothing to do: ${serverTool(database.url).place}, which uses free space again itself.\n`,
    )
    return
  }
  if (!existsSync(file)) throw new Error(`there is no database: ${file} does not exist.`)
  if (dryRun) {
    terminal.stderr.write(describe(await readSpace(file)))
    return
  }
  const lock = await lockDataDirectory(dataDir)
  try {
    const before = await readSpace(file)
    terminal.stderr.write(describe(before))
    await assertRoom(file, before)
    await compactFile(file)
    const after = await readSpace(file)
    terminal.stderr.write(`The database takes ${mib(after.bytes)} MiB now; it was ${mib(before.bytes)}.\n`)
  } finally {
    await lock.release()
  }
}

/** SQLite writes the used pages into a file of its own, and keeps those of before until it is done. */
const neededBytes = ({ bytes, freeBytes }: FileSpace) => 2 * (bytes - freeBytes)

function describe(space: FileSpace): string {
  const { bytes, freeBytes } = space
  return `${mib(freeBytes)} of ${mib(bytes)} MiB are free in the file. To give them back takes up to ${mib(neededBytes(space))} MiB of room on its disk.\n`
}

async function assertRoom(file: string, space: FileSpace): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file))
  if (bavail * bsize >= neededBytes(space)) return
  throw new Error(
    `the disk of ${file} has only ${mib(bavail * bsize)} MiB left, so nothing was changed; make room, or move the file to another disk.`,
  )
}

const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)
