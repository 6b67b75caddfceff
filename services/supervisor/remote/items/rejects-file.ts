import { open, rm, stat, truncate } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { RejectedRow } from '#shared/domain/item-transfer/rejection.ts'
import { createRejectsWriter } from '#shared/domain/item-transfer/rejects.ts'
import { throwNaming, withFileName } from '#shared/files/with-file-name.ts'
import type { ImportSource } from './import-source.ts'

/** The rejected rows, in a file that exists only if there are any, and only until the next import of its source file. */
export type RejectsFile = {
  path: string
  add(rows: readonly RejectedRow[]): Promise<void>
  bytes(): number
  /** All rows have been read: the file is complete, or the file of an earlier import is removed. */
  end(): Promise<void>
}

/**
 * @param options.keep the bytes to keep of a continued import; the rest belongs to a batch that is sent again
 * @throws Error for a file that is missing or shorter than these bytes
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
    try {
      await using file = await open(path, bytes === 0 ? 'w' : 'a')
      await file.writeFile(text)
    } catch (error) {
      throw withFileName(error, path)
    }
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
  if (found?.isFile() && found.size >= keep) return truncate(path, keep).catch(throwNaming(path))
  const is = found ? 'is shorter than the interrupted import left it' : 'no longer exists'
  throw new Error(`${path} ${is}, and contained rejected rows: restore it, or start the import over.`)
}

/** Whether two paths lead to the same file. */
export async function isSameFile(path: string, other: string): Promise<boolean> {
  if (resolve(path) === resolve(other)) return true
  const [found, known] = await Promise.all([path, other].map((one) => stat(one, { bigint: true }).catch(() => null)))
  return Boolean(found && known && found.ino === known.ino && found.dev === known.dev)
}
