import type { Index, List } from '#client/src/types/resources.ts'
import { arrayPointers } from '#shared/domain/item-transfer/array-pointers.ts'
import { type Column, proposeColumns } from '#shared/domain/item-transfer/columns.ts'
import type { BrokenRecord, CsvRecord } from '#shared/domain/item-transfer/record.ts'
import { createDataWriter, type EmptyCells } from '#shared/domain/item-transfer/row-data.ts'
import {
  type CsvFile,
  type FileFormat,
  formatOfName,
  openCsv,
  type Row,
  readCsvRows,
  readJsonRows,
} from '#shared/domain/item-transfer/rows.ts'

/** How the rows of a file are read. `isGuarded`: formulas have an apostrophe before them. */
export type Reading = {
  format: FileFormat
  /** CSV only. */
  columns: readonly Column[]
  /** The places of arrays, from `arrayPointers`. */
  arrays: readonly string[]
  empty: EmptyCells
  isGuarded: boolean
}

/** The beginning of a file. `isAll`: it is the whole file. */
export type Sample = { records: readonly (CsvRecord | BrokenRecord)[]; rows: readonly Row[]; isAll: boolean }

/** The number of rows that are checked before an import. */
export const sampleSize = 100

/** The format of a file, by its name or else by its first character. */
export async function detectFormat(file: File): Promise<FileFormat> {
  const byName = formatOfName(file.name)
  if (byName !== null) return byName
  const start = (await file.slice(0, 1000).text()).trimStart()
  if (start.startsWith('[')) return 'json'
  return start.startsWith('{') ? 'ndjson' : 'csv'
}

/**
 * Reads the beginning of a file, and proposes how to read all of it.
 * @throws UnreadableFile
 */
export async function readSample(
  file: File,
  format: FileFormat,
  shape: Pick<List, 'schema'> & { indexes: readonly Index[] },
): Promise<{ reading: Reading; sample: Sample }> {
  if (format !== 'csv') {
    const { taken: rows, isAll } = await takeFirst(readJsonRows(bytesOf(file), format))
    return { reading: { ...asIs, format, columns: [], arrays: [] }, sample: { records: [], rows, isAll } }
  }
  const { header, records: all } = await openCsv(bytesOf(file))
  const { taken: records, isAll } = await takeFirst(all)
  const cells = records.flatMap((record) => ('fields' in record ? [record.fields] : []))
  const columns = proposeColumns(header, shape, cells)
  const arrays = arrayPointers(columns, shape.schema)
  return { reading: { ...asIs, format, columns, arrays }, sample: { records, rows: [], isAll } }
}

/** The rows of a sample, read as configured. @param reading without column errors */
export async function sampleRows(
  { records, rows }: Sample,
  { format, columns, arrays, empty, isGuarded }: Reading,
): Promise<readonly Row[]> {
  if (format !== 'csv') return rows
  const write = createDataWriter(columns, empty, { isGuarded, arrays })
  return (await takeFirst(readCsvRows({ records: eachOf(records) }, write))).taken
}

const asIs = { empty: 'omit', isGuarded: false } as const

/** All rows of a file. @param onBytes gets the number of bytes read so far. @throws UnreadableFile */
export async function* openRows(
  file: File,
  { format, columns, arrays, empty, isGuarded }: Reading,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Row> {
  const bytes = bytesOf(file, onBytes)
  if (format !== 'csv') yield* readJsonRows(bytes, format)
  else yield* readCsvRows(await openCsv(bytes), createDataWriter(columns, empty, { isGuarded, arrays }))
}

/** The column names and the format of a CSV file. @throws UnreadableFile */
export async function readHead(file: File): Promise<Pick<CsvFile, 'header' | 'head'>> {
  const { header, head, records } = await openCsv(bytesOf(file))
  await takeFirst(records, 0)
  return { header, head }
}

async function takeFirst<T>(all: AsyncIterable<T>, most = sampleSize): Promise<{ taken: T[]; isAll: boolean }> {
  const taken: T[] = []
  for await (const one of all) {
    if (taken.length === most) return { taken, isAll: false }
    taken.push(one)
  }
  return { taken, isAll: true }
}

async function* eachOf<T>(all: Iterable<T>): AsyncGenerator<T> {
  yield* all
}

/** Not every browser can iterate over a stream. */
async function* bytesOf(file: File, onBytes: (bytes: number) => void = () => {}): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  let read = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      read += value.length
      onBytes(read)
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
