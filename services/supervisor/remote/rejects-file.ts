import { open, truncate } from 'node:fs/promises'
import type { RefusedRow } from '#shared/domain/item-transfer/refusal.ts'
import { rejectsText } from '#shared/domain/item-transfer/rejects.ts'
import type { ImportSource } from './import-source.ts'

/** The rows of which no item was made, in a file that is there once there is one. */
export type RejectsFile = {
  path: string
  add(rows: readonly RefusedRow[]): Promise<void>
  bytes(): number
}

/** @param keep bytes of an import that goes on; what is behind them belongs to a batch that is sent again */
export async function openRejectsFile(
  path: string,
  source: Pick<ImportSource, 'format' | 'header' | 'columns'>,
  keep: number,
): Promise<RejectsFile> {
  let bytes = keep
  if (keep > 0) await truncate(path, keep)
  return {
    path,
    bytes: () => bytes,
    async add(rows) {
      const text = rejectsText(rows, source, bytes === 0)
      await using file = await open(path, bytes === 0 ? 'w' : 'a')
      await file.writeFile(text)
      bytes += Buffer.byteLength(text)
    },
  }
}
