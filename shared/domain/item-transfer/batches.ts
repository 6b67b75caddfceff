import { bodyBytes, maxBatchOperations } from '../limits.ts'
import { TextDigest } from '../text/digest.ts'
import type { Row } from './rows.ts'

/**
 * Rows that are sent together; the last one is row `row` of the file. `digest` covers all rows up to it, to verify that another pass over
 * the file reads the same rows.
 */
export type Batch = { rows: readonly Row[]; row: number; digest: string }

/** A position between rows: the row before it, and the digest of all rows up to that one. */
export type Position = { row: number; digest: string }

/** The file is not the one whose import is continued, or it is read with other settings. */
export class AnotherFile extends Error {}

type BatchOptions = {
  /** Rows of a batch. */
  most?: number
  /** The position up to which rows were already sent in batches. */
  from?: Position | null
  /** The end of the batch after `from`, if it may already have been sent: that batch is rebuilt with the same end. */
  sending?: Position | null
  /** Called with each skipped row. */
  onPassed?: (row: Row) => void
}

/**
 * Groups rows into batches that fit one request. The same rows with the same `most` always form the same batches.
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

/** Leaves room for the brackets of the body. */
const maxBytes = bodyBytes.batch - 1024
const operationBytes = '{"op":"create","data":},'.length

function tooLarge(row: Row): Row {
  return { ...row, data: null, errors: [{ message: `the row has more than ${maxBytes} bytes` }] }
}

function assertSame(digest: TextDigest, from: Position): void {
  if (digest.value === from.digest) return
  throw new AnotherFile(
    `the first ${from.row} rows are not those that were imported: the file or the mapping of its columns is different`,
  )
}

/** The JSON text of the operations that create these rows' items. */
export function operationsText(rows: readonly Row[]): string {
  return `[${rows.map(({ data }) => `{"op":"create","data":${data}}`).join(',')}]`
}

/**
 * The id of an import: the same for the same source and list. Equal rows from another source count as different rows.
 * @param list its id, or its name if the id is not known
 * @param source values that identify the source: for a file its name, size and modification time
 */
export function importIdOf(list: string, source: readonly string[]): string {
  return [list.toLowerCase(), ...source].reduce((digest, text) => digest.add(text), new TextDigest()).value
}

/** The idempotency key of a request: the same for the same rows at the same position of the same import. */
export function batchKey(importId: string, { digest }: Pick<Batch, 'digest'>, operations: string): string {
  return `import-${new TextDigest().add(importId).add(digest).add(operations).value}`
}
