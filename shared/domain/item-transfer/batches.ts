import { bodyBytes, maxBatchOperations } from '../limits.ts'
import { TextDigest } from '../text/digest.ts'
import type { Row } from './rows.ts'

/**
 * Rows that are sent together, the last of which is the file's row `row`. `digest` is of all rows up to it, so that it shows whether
 * another reading of a file has come through the same rows.
 */
export type Batch = { rows: readonly Row[]; row: number; digest: string }

/** A place between rows: after which row of the file, and the digest of all rows up to it. */
export type Position = { row: number; digest: string }

/** The file is not the one of which an import has come that far, or it is read in another way. */
export class AnotherFile extends Error {}

type BatchOptions = {
  /** Rows of a batch. */
  most?: number
  /** Rows up to here were in batches before. */
  from?: Position | null
  /** The end of the batch after `from`, if it may have been sent: it ends there again. */
  sending?: Position | null
  /** Called with each row that is skipped. */
  onPassed?: (row: Row) => void
}

/**
 * Rows in batches, as many as one request takes. The same rows with the same `most` are always the same batches.
 * @throws AnotherFile
 */
export async function* createBatches(
  rows: AsyncIterable<Row>,
  { most = maxBatchOperations, from = null, sending = null, onPassed = () => {} }: BatchOptions,
): AsyncGenerator<Batch> {
  const digest = new TextDigest()
  const encoder = new TextEncoder()
  let batch: Row[] = []
  let bytes = 0
  let last = 0
  for await (const read of rows) {
    if (last === from?.row) assertSame(digest, from)
    if (last === sending?.row) assertSame(digest, sending)
    const length = encoder.encode(read.data ?? '').length + operationBytes
    const row = length > maxBytes ? tooLarge(read) : read
    const isFull = batch.length === most || bytes + length > maxBytes || last === sending?.row
    if (batch.length > 0 && isFull) {
      yield { rows: batch, row: last, digest: digest.value }
      batch = []
      bytes = 0
    }
    digest.add(read.data ?? read.source)
    last = row.row
    if (from && row.row <= from.row) onPassed(row)
    else {
      batch.push(row)
      bytes += row.data === null ? 0 : length
    }
  }
  if (from && last <= from.row) assertSame(digest, from)
  if (sending && last <= sending.row) assertSame(digest, sending)
  if (batch.length > 0) yield { rows: batch, row: last, digest: digest.value }
}

/** The body has room for its brackets, too. */
const maxBytes = bodyBytes.batch - 1024
const operationBytes = '{"op":"create","data":},'.length

function tooLarge(row: Row): Row {
  return { ...row, data: null, errors: [{ message: `the row has more than ${maxBytes} bytes` }] }
}

function assertSame(digest: TextDigest, from: Position): void {
  if (digest.value === from.digest) return
  throw new AnotherFile(
    `the first ${from.row} rows are not those that were imported: it is another file, or its columns are mapped in another way`,
  )
}

/** The JSON text of the operations that create these rows' items. */
export function operationsText(rows: readonly Row[]): string {
  return `[${rows.map(({ data }) => `{"op":"create","data":${data}}`).join(',')}]`
}

/**
 * The id of an import: the same for the same source into the same list. Equal rows of another source are other rows.
 * @param list its id, or, where that is not known, its name
 * @param source what distinguishes the source from others: of a file its name, size and time of change
 */
export function importIdOf(list: string, source: readonly string[]): string {
  return [list.toLowerCase(), ...source].reduce((digest, text) => digest.add(text), new TextDigest()).value
}

/** The idempotency key of a request: the same for the same rows at the same place of the same import. */
export function batchKey(importId: string, { digest }: Pick<Batch, 'digest'>, operations: string): string {
  return `import-${new TextDigest().add(importId).add(digest).add(operations).value}`
}
