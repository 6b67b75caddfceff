import { open, rm, stat, truncate } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { RejectedRow } from '#shared/domain/item-transfer/rejection.ts'
import { createRejectsWriter } from '#shared/domain/item-transfer/rejects.ts'
import type { ImportSource } from './import-source.ts'

/** The rows of which no item was created, in a file that is there if there is one, and no longer than until the next import of its file. */
export type RejectsFile = {
  path: string
  add(rows: readonly RejectedRow[]): Promise<void>
  bytes(): number
  /** All rows have been read: the file is complete, or what an import before has left is removed. */
  end(): Promise<void>
}

/**
 * @param options.keep bytes of an import that continues; what follows them belongs to a batch that is sent again
 * @throws Error for a file that is shorter
 */
export async function openRejectsFile(
  path: string,
  source: Pick<ImportSource, 'format' | 'head' | 'columns'>,
  { keep }: { keep: number },
): Promise<RejectsFile> {
  const writer = createRejectsWriter(source)
  let bytes = keep
  if (keep > 0) await cutTo(path, keep)
  async function write(text: string): Promise<void> {
    await using file = await open(path, bytes === 0 ? 'w' : 'a')
    await file.writeFile(text)
    bytes += Buffer.byteLength(text)
  }
  return {
    path,
    bytes: () => bytes,
    add: (rows) => write((bytes === 0 ? writer.head : '') + writer.rows(rows, bytes === 0)),
    async end() {
      if (bytes > 0) return writer.end === '' ? undefined : write(writer.end)
      const found = await stat(path).catch(() => null)
      if (found?.isFile()) await rm(path)
    },
  }
}

async function cutTo(path: string, keep: number): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found?.isFile() && found.size >= keep) return truncate(path, keep)
  const is = found ? 'is shorter than the import that was cut off has left it' : 'is not there any more'
  throw new Error(`${path} ${is}, and has rows that were rejected: bring it back, or begin the import anew.`)
}

/** Whether two paths lead to one file, by whatever names. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  if (resolve(path) === resolve(other)) return true
  const [found, known] = await Promise.all([path, other].map((one) => stat(one, { bigint: true }).catch(() => null)))
  return Boolean(found && known && found.ino === known.ino && found.dev === known.dev)
}
