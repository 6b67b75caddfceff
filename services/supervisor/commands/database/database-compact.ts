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
 * `listd db compact`: returns the free pages of the SQLite file to the disk, while listd is stopped: it rewrites the whole file, and
 * every write of a running service would wait for that and fail. With `--dry-run` it only reports what it would free.
 * @throws Error with a sentence when a listd runs, or the disk has too little room
 */
export async function compactCommand(terminal: Terminal, { dryRun }: { dryRun?: true }): Promise<void> {
  const { database, dataDir } = loadConfig({ env: terminal.env })
  const file = databaseFile({ url: database.url, dataDir })
  if (file === null) {
    terminal.stderr.write(
      `There is nothing to do: ${serverTool(database.url).place}, which reuses free space on its own.\n`,
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
    terminal.stderr.write(`The database now takes ${mib(after.bytes)} MiB; before it took ${mib(before.bytes)} MiB.\n`)
  } finally {
    await lock.release()
  }
}

/** SQLite writes the used pages to a second file, and keeps the old pages until it is done. */
const neededBytes = ({ bytes, freeBytes }: FileSpace) => 2 * (bytes - freeBytes)

function describe(space: FileSpace): string {
  const { bytes, freeBytes } = space
  return `${mib(freeBytes)} of ${mib(bytes)} MiB are free in the file. Compacting needs up to ${mib(neededBytes(space))} MiB of free space on its disk.\n`
}

async function assertRoom(file: string, space: FileSpace): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(file))
  if (bavail * bsize >= neededBytes(space)) return
  throw new Error(
    `the disk of ${file} has only ${mib(bavail * bsize)} MiB left, so nothing was changed; make room, or move the file to another disk.`,
  )
}

const mib = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)
