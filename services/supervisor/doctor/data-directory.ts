import { constants } from 'node:fs'
import { access, readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Check, type CheckResult, type DoctorContext, note, ok, wrong } from './check.ts'

const { R_OK, W_OK, X_OK } = constants
const gib = 1024 ** 3
/** nats-server may fill 256 MiB, and the database's log some more. */
const leastFreeBytes = gib / 2
const goodFreeBytes = 2 * gib

/** Whether the data directory can be used, and by nobody else. */
export const dataDirectory: Check = {
  name: 'data directory',
  async run({ config: { dataDir }, running }: DoctorContext): Promise<CheckResult[]> {
    const folder = await stat(dataDir).catch(() => null)
    if (!folder) return [await lookAtParent(dataDir)]
    if (!folder.isDirectory()) return [wrong(`${dataDir} is no folder`, 'set another one with LISTD_DATA_DIR')]
    if (!(await mayUse(dataDir, R_OK | W_OK | X_OK))) {
      return [
        wrong(
          `this user may not write to ${dataDir}`,
          `run "chown -R USER ${dataDir}" for the user that listd runs as`,
        ),
      ]
    }
    const faults = [...(await foreignFiles(dataDir)), ...(await openFiles(dataDir))]
    return faults.length > 0
      ? faults
      : [ok(`${dataDir}; ${running ? 'a listd runs on it' : 'no listd runs on it now'}`)]
  },
}

async function lookAtParent(dataDir: string): Promise<CheckResult> {
  const parent = await nearestThere(dataDir)
  if (await mayUse(parent, W_OK | X_OK)) return note(`${dataDir} is not there yet`, 'the first "listd start" makes it')
  return wrong(`${dataDir} cannot be made: this user may not write to ${parent}`, 'make it, or set LISTD_DATA_DIR')
}

/** One start as another user, say root, leaves files behind that the right user cannot write. */
async function foreignFiles(dataDir: string): Promise<CheckResult[]> {
  const entries = await statsIn(dataDir)
  const { uid } = await stat(dataDir)
  const foreign = entries.filter((entry) => entry.uid !== uid).map(({ name }) => name)
  if (foreign.length === 0) return []
  const message = `${foreign.join(', ')} in ${dataDir} belong to another user than the folder`
  return [wrong(message, `run "chown -R --reference=${dataDir} ${dataDir}" as root`)]
}

/** Inside a folder that is closed to others the modes of files do not matter. */
async function openFiles(dataDir: string): Promise<CheckResult[]> {
  if (((await stat(dataDir)).mode & 0o011) === 0) return []
  const open = (await statsIn(dataDir)).filter(({ mode }) => (mode & 0o077) !== 0).map(({ name }) => name)
  if (open.length === 0) return []
  return [
    wrong(`other users of this machine may get at ${open.join(', ')} in ${dataDir}`, `run "chmod -R go= ${dataDir}"`),
  ]
}

async function statsIn(dataDir: string): Promise<{ name: string; uid: number; mode: number }[]> {
  const names = await readdir(dataDir)
  const found = names.map(async (name) => {
    // Files of SQLite come and go while a listd runs.
    const entry = await stat(join(dataDir, name)).catch(() => null)
    return entry ? [{ name, uid: entry.uid, mode: entry.mode }] : []
  })
  return (await Promise.all(found)).flat()
}

/** Whether there is room for what is to come. */
export const diskSpace: Check = {
  name: 'disk space',
  async run({ config: { dataDir } }: DoctorContext): Promise<CheckResult> {
    const { bavail, bsize } = await statfs(await nearestThere(dataDir))
    return checkSpace(bavail * bsize, dataDir)
  },
}

export function checkSpace(freeBytes: number, dataDir: string): CheckResult {
  const message = `${(freeBytes / gib).toFixed(1)} GiB free for ${dataDir}`
  const fix = 'free some space, or set LISTD_DATA_DIR to another disk'
  if (freeBytes < leastFreeBytes) return wrong(message, fix)
  return freeBytes < goodFreeBytes ? note(message, fix) : ok(message)
}

async function nearestThere(path: string): Promise<string> {
  if ((await stat(path).catch(() => null)) || dirname(path) === path) return path
  return nearestThere(dirname(path))
}

function mayUse(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}
