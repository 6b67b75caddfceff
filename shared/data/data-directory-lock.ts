import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database as Handle } from 'sqlite3'
import { createFolder } from '#shared/files/create-folder.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { hasCode } from './database-errors.ts'
import { closeHandle, execute, openHandle } from './drivers/sqlite/handle.ts'

/** The exclusive right to use a data directory, held until it is released or the process ends in any way. */
type DataDirectoryLock = { release(): Promise<void> }

/**
 * Locks the data directory for this process and creates it if it is missing. The lock is an exclusive transaction held open
 * on a small database: its file locks end with the process, so unlike a pid file it is never stale.
 * @throws Error with a sentence for the operator when another process holds the lock
 */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  await createDataDirectory(dataDir)
  return lock(join(dataDir, 'lock.db'), () => {
    throw new StartError(
      startExitCodes.tryAgain,
      `another listd runs on the data directory ${dataDir}. Stop it first, or set another one with LISTD_DATA_DIR.`,
    )
  })
}

/** Creates the data directory if it is missing. @throws Error with a sentence when that cannot be done */
export function createDataDirectory(dataDir: string): Promise<void> {
  return createFolder(dataDir).catch(throwUnusable)
}

/** The exclusive right to change the key file of a data directory. @throws Error with a sentence when another process has it */
export function lockRotation(dataDir: string): Promise<DataDirectoryLock> {
  return lock(join(dataDir, 'rotation.db'), () => {
    throw new Error('another "listd secrets rotate" is running. Wait until it has ended.')
  })
}

async function lock(path: string, reject: () => never): Promise<DataDirectoryLock> {
  // SQLite does not report why it cannot write there.
  await access(dirname(path), constants.W_OK).catch(throwUnusable)
  const database = await open(path)
  try {
    await execute(database, 'PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    await closeHandle(database)
    if (codeOf(error) === 'SQLITE_BUSY') reject()
    throw error
  }
  return { release: () => closeHandle(database) }
}

/**
 * Whether a process holds the lock of a data directory now. Reads the lock without acquiring it, so that a listd that is just
 * starting is hardly disturbed; creates no files.
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
    await closeHandle(database)
  }
}

async function open(path: string): Promise<Handle> {
  try {
    return await openHandle(path, { create: true })
  } catch (error) {
    throwUnusable(new Error(`${path} cannot be opened (${codeOf(error)}).`))
  }
}

function throwUnusable(error: unknown): never {
  const isFull = hasCode(error, ['ENOSPC'])
  const exitCode = isFull ? startExitCodes.tryAgain : startExitCodes.configuration
  throw new StartError(exitCode, `the data directory cannot be used: ${describeError(error)}`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
