import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'

/** The right to run on a data directory, held until released or until the process ends, however it ends. */
export type DataDirectoryLock = { release(): Promise<void> }

/**
 * Makes the data directory where it is missing and takes it for this process: an exclusive transaction, held open on a
 * small database. Its file locks die with their holder, so nothing stale is left behind, unlike a file with a pid.
 * @throws Error with a sentence when another process has it
 */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const database = await open(join(dataDir, 'lock.db'))
  try {
    await execute(database, 'PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    await close(database)
    if (codeOf(error) !== 'SQLITE_BUSY') throw error
    throw new Error(
      `another listd runs on the data directory ${dataDir}. Stop it first, or set another one with LISTD_DATA_DIR.`,
    )
  }
  return { release: () => close(database) }
}

/**
 * Whether a process has a data directory now. Reads the lock instead of taking it, which a listd that starts in this very
 * moment hardly notices; makes nothing.
 */
export async function isDataDirectoryLocked(dataDir: string): Promise<boolean> {
  const path = join(dataDir, 'lock.db')
  if (!existsSync(path)) return false
  const database = await open(path)
  try {
    await execute(database, 'PRAGMA busy_timeout=0; SELECT count(*) FROM sqlite_master')
    return false
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY') return true
    throw error
  } finally {
    await close(database)
  }
}

function open(path: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, (error) => {
      if (!error) resolve(database)
      else reject(new Error(`the data directory cannot be used: ${path} does not open (${codeOf(error)}).`))
    })
  })
}

function execute(database: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve())))
}

/** Closing rolls the transaction back, which gives the lock up. */
function close(database: sqlite3.Database): Promise<void> {
  return new Promise((resolve, reject) => database.close((error) => (error ? reject(error) : resolve())))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
