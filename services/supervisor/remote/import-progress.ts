import { readFile, rm } from 'node:fs/promises'
import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import { isObject } from '#shared/json/is-object.ts'
import { formatJson } from '../listing.ts'
import { replaceFile } from '../replace-file.ts'

/** How far an import has come that was cut off, into which list of which listd. `rejectsBytes`: how long its file of refused rows is. */
export type SavedProgress = ImportState & { format: 1; url: string; list: string; batch: number; rejectsBytes: number }

/** Where the progress of an import is kept while it runs; null: nowhere, as standard input cannot be read again. */
export function progressFileOf(file: string, list: string): string | null {
  return file === '-' ? null : `${file}.${encodeURIComponent(list.toLowerCase())}.import.json`
}

/** @returns null when there is none. @throws Error for a file that is none */
export async function readProgress(path: string): Promise<SavedProgress | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const saved = parse(text)
  if (isObject(saved) && saved.format === 1 && typeof saved.row === 'number') return saved as SavedProgress
  throw new Error(`${path} does not tell how far an import has come; delete it to begin anew.`)
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
