import { hash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ArchivedFile, Index } from './archive.ts'

/** `contents` decompresses the files of the index, `size` bytes in all; it is called only to unpack. */
type Archive = { index: Index; contents(size: number): Uint8Array }

type Options = {
  /** Where the folder of the archive may be, best first; the next one is used when one cannot be. */
  parents: readonly string[]
  /** How old a check may be for this process to rely on it; 0: it checks. */
  checkedWithinMs?: number
}

/** Node.js keeps compiled code there; it is not part of the archive, and a user who may write it may write everything else. */
const compileCache = 'node_modules/.cache'
const folderMode = 0o700
const fileMode = 0o600
const programMode = 0o700
/** The prefix of names in a folder that may hold other files too: nothing else may be removed from it. */
const draftPrefix = '.listd-new-'
/** A draft this old was left by a process that was killed. */
const abandonedMs = 3_600_000
const maxTries = 3

/**
 * Finds the unpacked archive in one of the folders, or unpacks it. An unpacked archive must belong to this user alone and match the
 * index file by file; otherwise it is unpacked again. Processes that do this at the same time all get the result.
 * Nothing is synced to disk: the hashes detect what a power cut left, like any other change.
 * @returns the path of the folder
 * @throws Error with a sentence that says why none of them can be used
 */
export function unpackOnce(archive: Archive, { parents, checkedWithinMs = 0 }: Options): string {
  const reasons: string[] = []
  for (const parent of parents) {
    try {
      return unpackInto(parent, archive, checkedWithinMs)
    } catch (error) {
      reasons.push(`${parent}: ${error instanceof Error ? error.message : error}`)
    }
  }
  throw new Error(
    `there is no folder to unpack the program into (${reasons.join('; ')}). Set LISTD_UNPACK_DIR to one that only you can ` +
      'write to, on a disk with 100 MB free that allows programs to run.',
  )
}

function unpackInto(parent: string, archive: Archive, checkedWithinMs: number): string {
  const folder = join(createParent(parent), archive.index.name)
  for (let n = 0; n < maxTries; n++) {
    if (wasChecked(folder, checkedWithinMs)) return folder
    if (isIntact(folder, archive.index)) {
      recordCheck(folder)
      return folder
    }
    replace(folder, archive)
  }
  throw new Error('files unpacked there do not stay unchanged')
}

/** The folder's modification time is the time of the last check. */
function recordCheck(folder: string): void {
  try {
    const now = new Date()
    utimesSync(folder, now, now)
  } catch {
    // On a read-only file system every process checks.
  }
}

function wasChecked(folder: string, withinMs: number): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found !== undefined && isPrivate(found) && Math.abs(Date.now() - found.mtimeMs) < withinMs
}

// The other bits may come from the folder above.
function isPrivate({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & 0o777) === folderMode
}

/**
 * Creates the folder, unless another user could replace it. Then it checks again, at the place that all links lead to: in a folder
 * for temporary files another user may just have created one of the same name.
 * @returns its path without links
 */
function createParent(parent: string): string {
  let existing = parent
  while (!existsSync(existing)) existing = dirname(existing)
  assertOnlyOurs(realpathSync(existing))
  mkdirSync(parent, { recursive: true, mode: folderMode })
  const created = realpathSync(parent)
  assertOnlyOurs(created)
  return created
}

/** @param path without links */
function assertOnlyOurs(path: string): void {
  for (let at = path; ; at = dirname(at)) {
    const { uid, mode } = lstatSync(at)
    // In a sticky folder, such as /tmp, others can create entries but not replace ours.
    const isShared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0
    if (isShared || (uid !== 0 && uid !== process.getuid?.())) throw new Error(`other users may change ${at}`)
    if (at === dirname(at)) return
  }
}

/** Whether a folder is this user's and holds the files of the index, and no others. */
function isIntact(folder: string, { files }: Index): boolean {
  try {
    if (!isPrivate(lstatSync(folder))) return false
    const buffer = Buffer.allocUnsafe(Math.max(0, ...files.map(({ size }) => size)) + 1)
    return hasOnly(folder, files) && files.every((file) => isAsPacked(join(folder, file.path), file, buffer))
  } catch {
    // Something is missing or cannot be read.
    return false
  }
}

function hasOnly(folder: string, files: readonly ArchivedFile[]): boolean {
  const paths = new Set(files.map(({ path }) => path))
  const folders = new Set(foldersOf(files))
  const holdsKnown = (at: string): boolean =>
    readdirSync(join(folder, at), { withFileTypes: true }).every((entry) => {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory()) return path === compileCache || (folders.has(path) && holdsKnown(path))
      return entry.isFile() && paths.has(path)
    })
  return holdsKnown('')
}

/** Every folder that holds a file, directly or not, those above first. */
function foldersOf(files: readonly ArchivedFile[]): Iterable<string> {
  const found = new Set<string>()
  const add = (path: string) => {
    if (path === '.' || found.has(path)) return
    add(dirname(path))
    found.add(path)
  }
  for (const { path } of files) add(dirname(path))
  return found
}

/** @param buffer one byte longer than the longest file */
function isAsPacked(path: string, file: ArchivedFile, buffer: Buffer): boolean {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if ((fstatSync(descriptor).mode & 0o7777) !== modeOf(file)) return false
    const size = readSync(descriptor, buffer, 0, file.size + 1, 0)
    return size === file.size && hash('sha256', buffer.subarray(0, size)) === file.sha256
  } finally {
    closeSync(descriptor)
  }
}

const modeOf = ({ isProgram }: ArchivedFile) => (isProgram ? programMode : fileMode)

/** Unpacks next to the folder, and replaces the folder with the result. */
function replace(folder: string, archive: Archive): void {
  const found = inodeOf(folder)
  const parent = dirname(folder)
  removeAbandoned(parent)
  const draft = mkdtempSync(join(parent, draftPrefix))
  try {
    write(join(draft, 'unpacked'), archive)
    // Another process may have repaired it in the meantime, and may already run from it.
    if (found !== null && inodeOf(folder) === found) moveAway(folder, join(draft, 'replaced'))
    renameSync(join(draft, 'unpacked'), folder)
  } catch (error) {
    if (!isNameInUse(error)) throw error
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function write(folder: string, { index: { files }, contents }: Archive): void {
  mkdirSync(folder, { mode: folderMode })
  for (const path of foldersOf(files)) mkdirSync(join(folder, path), { mode: folderMode })
  const bytes = contents(files.reduce((sum, { size }) => sum + size, 0))
  let at = 0
  for (const file of files) {
    writeFileSync(join(folder, file.path), bytes.subarray(at, at + file.size), { mode: modeOf(file), flag: 'wx' })
    at += file.size
  }
  // Fails where a file system is mounted so that nothing can be run from it.
  for (const { path, isProgram } of files) if (isProgram) accessSync(join(folder, path), constants.X_OK)
}

function moveAway(path: string, target: string): void {
  // A folder that may not be written to cannot be moved to another one.
  if (lstatSync(path).isDirectory()) chmodSync(path, folderMode)
  renameSync(path, target)
}

/** Another process was first. */
function isNameInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOTEMPTY', 'EEXIST'].includes(String(error.code))
}

function inodeOf(path: string): number | null {
  return lstatSync(path, { throwIfNoEntry: false })?.ino ?? null
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const path = join(parent, name)
    const changedAt = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (name.startsWith(draftPrefix) && Date.now() - changedAt > abandonedMs)
      rmSync(path, { recursive: true, force: true })
  }
}
