import { constants, existsSync } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { hasCode } from '#shared/data/database-errors.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { type Check, type CheckResult, type DoctorContext, note, ok, wrong } from './check.ts'

const { R_OK, W_OK, X_OK } = constants
const gib = 1024 ** 3
/** nats-server may use 256 MiB, and the database's log needs more. */
const leastFreeBytes = gib / 2
const goodFreeBytes = 2 * gib

/** Whether this user can use the data directory, and no other user can. */
export const dataDirectory: Check = {
  name: 'data directory',
  async run({ config: { dataDir }, running }: DoctorContext): Promise<CheckResult[]> {
    const unusable = await findUnusable(dataDir)
    if (unusable) return [unusable]
    if (!existsSync(dataDir)) return [note(`${dataDir} does not exist yet`, 'run "listd start", which creates it')]
    const found = [...(await foreignFiles(dataDir)), ...(await openFiles(dataDir))]
    return found.length > 0
      ? found
      : [ok(`${dataDir}; ${running ? 'a listd is running on it' : 'no listd is running on it'}`)]
  },
}

/** Why the data directory cannot be used or created; null when it can. If it cannot, nothing in it can be checked. */
export async function findUnusable(dataDir: string): Promise<CheckResult | null> {
  const folder = await nearestExisting(dataDir)
  const cannot = folder === dataDir ? '' : `${dataDir} cannot be created: `
  const another = 'set another one with LISTD_DATA_DIR'
  if (!(await stat(folder)).isDirectory()) return wrong(`${cannot}${folder} is not a directory`, another)
  const error = await access(folder, R_OK | W_OK | X_OK).then(() => null, Object)
  if (error === null) return null
  if (hasCode(error, ['EROFS'])) {
    return wrong(`${cannot}the file system of ${folder} is read-only`, `mount it for writing, or ${another}`)
  }
  const owner = `run "chown -R USER ${folder}" for the user that listd runs as`
  return wrong(`${cannot}this user may not write to ${folder}`, cannot === '' ? owner : `create it, or ${another}`)
}

/**
 * A start as another user, such as root, leaves files that the right user cannot write. In a group directory, as created by platforms
 * that choose the user, the right user is the owner of all other files.
 */
async function foreignFiles(dataDir: string): Promise<CheckResult[]> {
  const entries = await statsIn(dataDir)
  const { uid, mode } = await stat(dataDir)
  if ((mode & 0o020) !== 0 && new Set(entries.map((entry) => entry.uid)).size === 1) return []
  const foreign = entries.filter((entry) => entry.uid !== uid).map(({ name }) => name)
  if (foreign.length === 0) return []
  const message = `${foreign.join(', ')} in ${dataDir} do not belong to the owner of the directory`
  return [wrong(message, `run "chown -R --reference=${dataDir} ${dataDir}" as root`)]
}

/** The modes of files do not matter in a directory that is closed to others. */
async function openFiles(dataDir: string): Promise<CheckResult[]> {
  if (((await stat(dataDir)).mode & 0o011) === 0) return []
  const open = (await statsIn(dataDir)).filter(({ mode }) => (mode & 0o077) !== 0).map(({ name }) => name)
  if (open.length === 0) return []
  return [
    wrong(`other users of this machine can access ${open.join(', ')} in ${dataDir}`, `run "chmod -R go= ${dataDir}"`),
  ]
}

async function statsIn(dataDir: string): Promise<{ name: string; uid: number; mode: number }[]> {
  const names = await readdir(dataDir)
  const found = names.map(async (name) => {
    // SQLite creates and deletes files while a listd is running.
    const entry = await stat(join(dataDir, name)).catch(() => null)
    return entry ? [{ name, uid: entry.uid, mode: entry.mode }] : []
  })
  return (await Promise.all(found)).flat()
}

/** Whether there is enough space for new data. */
export const diskSpace: Check = {
  name: 'disk space',
  async run({ config: { dataDir, database } }: DoctorContext): Promise<CheckResult[]> {
    const file = databaseFile({ url: database.url, dataDir })
    const folders = new Set([dataDir, ...(file === null ? [] : [dirname(file)])])
    return Promise.all([...folders].map(spaceIn))
  },
}

async function spaceIn(folder: string): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(await nearestExisting(folder))
  return checkSpace(bavail * bsize, folder)
}

export function checkSpace(freeBytes: number, dataDir: string): CheckResult {
  const message = `${(freeBytes / gib).toFixed(1)} GiB free for ${dataDir}`
  const fix = 'free some space, or set LISTD_DATA_DIR to another disk'
  if (freeBytes < leastFreeBytes) return wrong(message, fix)
  return freeBytes < goodFreeBytes ? note(message, fix) : ok(message)
}

async function nearestExisting(path: string): Promise<string> {
  if ((await stat(path).catch(() => null)) || dirname(path) === path) return path
  return nearestExisting(dirname(path))
}
