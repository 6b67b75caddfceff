import { statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database as Handle } from 'sqlite3'
import { renameDurably } from '#shared/files/rename-durably.ts'
import { hasCode } from '../../database-errors.ts'
import { closeHandle, execute, openHandle, selectAll } from './handle.ts'
import { whyUnusable } from './why-unusable.ts'

/**
 * Writes a consistent copy of a SQLite database, complete or not at all, while other processes write to it. The copy is one
 * file that only this user may read; it replaces `to`.
 */
export async function snapshotFile(from: string, to: string): Promise<void> {
  const draft = `${to}.new`
  try {
    await makePrivate(draft)
    await withHandle(from, (handle) => selectAll(handle, 'vacuum into ?', [draft]))
    await renameDurably(draft, to)
  } catch (error) {
    await rm(draft, { force: true })
    if (hasCode(error, ['SQLITE_FULL']))
      throw new Error(`there is no space left on the device for ${to}; make room there.`)
    throw error
  }
}

/** The settings in a database file, without opening it as a service does. */
export async function readSettings(file: string): Promise<Readonly<Record<string, string>>> {
  const rows = await withHandle(file, (handle) =>
    selectAll<{ name: string; value: string }>(handle, 'select name, value from settings'),
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The size of a database file, and the size of its free pages, which SQLite uses for new data. */
export type FileSpace = { bytes: number; freeBytes: number }

export async function readSpace(file: string): Promise<FileSpace> {
  const pragmas = 'pragma_page_count, pragma_page_size, pragma_freelist_count'
  const text = `select page_count * page_size as bytes, freelist_count * page_size as freeBytes from ${pragmas}`
  const [row] = await withHandle(file, (handle) => selectAll<FileSpace>(handle, text))
  return row ?? { bytes: 0, freeBytes: 0 }
}

/**
 * Rewrites a database file without its free pages, completely or not at all. Temporary files of SQLite are next to the file.
 * @throws Error with a sentence when a process uses the database, or the disk is full
 */
export async function compactFile(file: string): Promise<void> {
  await mergeLog(file)
  const folder = dirname(file).replaceAll("'", "''")
  try {
    // Otherwise SQLite uses the folder for temporary files, which may be small, in memory, or missing.
    await withHandle(file, (handle) => execute(handle, `pragma temp_store_directory='${folder}'; vacuum`))
  } catch (error) {
    if (hasCode(error, ['SQLITE_BUSY'])) throw inUse(file)
    if (hasCode(error, ['SQLITE_FULL']))
      throw new Error(`there is too little space left next to ${file}; free some space there.`)
    throw error
  }
}

/** The damage of a database file; null: none. Reads the whole file. */
export async function findDamage(file: string): Promise<string | null> {
  try {
    const [row] = await withHandle(file, (handle) =>
      selectAll<{ integrity_check: string }>(handle, 'pragma integrity_check(1)'),
    )
    return row?.integrity_check === 'ok' ? null : String(row?.integrity_check)
  } catch (error) {
    if (hasCode(error, ['SQLITE_NOTADB', 'SQLITE_CORRUPT'])) return (error as Error).message
    throw error
  }
}

/**
 * Moves a database that no process uses out of the way, with the log that belongs to it: SQLite would apply a log that is
 * left behind to the next database of that name.
 * @returns whether there was one. @throws Error with a sentence when a process uses the database
 */
export async function moveDatabaseFile(from: string, to: string): Promise<boolean> {
  const exists = hasData(from)
  if (exists) await mergeLog(from)
  for (const suffix of ['', '-wal', '-shm']) {
    await rm((exists ? to : from) + suffix, { force: true })
    if (exists) await rename(from + suffix, to + suffix).catch(unlessMissing)
  }
  return exists
}

/** Whether a database file has anything in it. */
export function hasData(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Only a process with exclusive access can end WAL mode. A damaged database is moved as it is. */
async function mergeLog(file: string): Promise<void> {
  try {
    await withHandle(file, (handle) => execute(handle, 'pragma journal_mode=delete'))
  } catch (error) {
    if (hasCode(error, ['SQLITE_BUSY'])) throw inUse(file)
    if (!hasCode(error, ['SQLITE_NOTADB', 'SQLITE_CORRUPT'])) throw error
  }
}

const inUse = (file: string) => new Error(`another process uses ${file}. Stop it first.`)

async function withHandle<T>(file: string, work: (handle: Handle) => Promise<T>): Promise<T> {
  try {
    return await withOpenHandle(file, work)
  } catch (error) {
    const reason = await whyUnusable(error, file)
    throw reason === null ? error : new Error(`The database ${file} cannot be used: ${reason}`)
  }
}

async function withOpenHandle<T>(file: string, work: (handle: Handle) => Promise<T>): Promise<T> {
  const handle = await openHandle(file, { create: false })
  try {
    await execute(handle, 'pragma busy_timeout=2000')
    return await work(handle)
  } finally {
    await closeHandle(handle)
  }
}

async function makePrivate(path: string): Promise<void> {
  await rm(path, { force: true })
  await (await open(path, 'wx', 0o600)).close()
}

function unlessMissing(error: unknown): void {
  if (!hasCode(error, ['ENOENT'])) throw error
}
