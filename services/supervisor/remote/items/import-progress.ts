import { readFile, rm } from 'node:fs/promises'
import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { withFileName } from '#shared/files/with-file-name.ts'
import { isObject } from '#shared/json/is-object.ts'
import { replaceFile } from '../../replace-file.ts'
import { CommandFailed } from '../../terminal/command-failed.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Reading } from './import-source.ts'
import type { ImportTarget } from './import-target.ts'

/**
 * How far an interrupted import got, and everything that must be the same for it to continue. `listId`, `token`: null if unknown.
 * `rejects`: the option; `rejectsBytes`: the length of that file.
 */
export type SavedProgress = {
  format: 2
  importId: string
  url: string
  list: string
  listId: string | null
  token: ImportTarget['token']
  reading: Reading
  batch: number
  rejects: string | null
  rejectsBytes: number
  state: ImportState
}

/** Where the progress of an import is saved while it runs. */
export function progressFileOf(file: string, list: string): string {
  return `${file}.${encodeURIComponent(list.toLowerCase())}.import.json`
}

/** @returns null when there is no such file. @throws Error for a file that does not hold progress */
export async function readProgress(path: string): Promise<SavedProgress | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw withFileName(error, path)
  })
  if (text === null) return null
  const saved = parse(text)
  const isProgress = isObject(saved) && saved.format === 2 && isObject(saved.state) && isObject(saved.reading)
  if (isProgress) return saved as SavedProgress
  throw new Error(`${path} does not contain the progress of an import; delete it to start over.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export async function saveProgress(path: string, saved: SavedProgress): Promise<void> {
  await replaceFile(path, formatJson(saved))
}

export async function removeProgress(path: string): Promise<void> {
  await rm(path, { force: true })
}

/** The options of a continued import; undefined: the same as before. */
type Wanted = { url: string; batch: number | undefined; rejects: string | undefined; target: ImportTarget }

/** @throws CommandFailed that names what has changed since the import was interrupted */
export function assertFits(saved: SavedProgress, path: string, { url, batch, rejects, target }: Wanted): void {
  const reject = (why: string) => {
    throw new CommandFailed(`${why}; or delete ${path} to start over.`, 1, { facts: { name: 'PROGRESS_NOT_FITTING' } })
  }
  if (addressOf(saved.url) !== addressOf(url)) reject(`the import was into ${saved.url}: set LISTD_URL to it`)
  if (saved.listId !== null && target.id !== null && saved.listId !== target.id) {
    reject(
      `the list "${target.name}" is not the list of the import, which had the id ${saved.listId}: ` +
        'that list was deleted or renamed, and another list now has its name. Nothing was imported: give that list its name again',
    )
  }
  if (isOfOther(saved, target) && saved.state.sending !== null) {
    reject(
      `the import was started with the API token "${saved.token?.name}" (${saved.token?.id}), and only that token can find out ` +
        'whether its last batch was created: set LISTD_TOKEN to it',
    )
  }
  if (batch !== undefined && batch !== saved.batch) reject(`the import used --batch ${saved.batch}: omit the option`)
  if (rejects !== undefined && rejects !== saved.rejects) {
    reject(`the import used ${saved.rejects === null ? 'no --rejects' : `--rejects ${saved.rejects}`}: use the same`)
  }
}

function isOfOther({ token }: SavedProgress, target: ImportTarget): boolean {
  return token !== null && target.token !== null && token.id !== target.token.id
}

const addressOf = (url: string) => url.replace(/\/+$/, '')
