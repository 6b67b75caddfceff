import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { maxJsonDepth } from '../limits.ts'
import { type CsvDialect, createCsvReader } from './csv-reader.ts'
import { createJsonArrayReader, createNdjsonReader } from './json-readers.ts'
import {
  type BrokenRecord,
  type CsvRecord,
  decodeUtf8,
  isBroken,
  type JsonRecord,
  placeIn,
  type RecordReader,
  UnreadableFile,
} from './record.ts'
import type { DataWriter, RowError } from './row-data.ts'

/** `json`: one array, whose elements are the items' data. */
export const fileFormats = ['ndjson', 'csv', 'json'] as const
export type FileFormat = (typeof fileFormats)[number]

/**
 * A row of a file, counted from 1 without the header of CSV, and its first line. `data` is the JSON text of the new item's data; null: the
 * row has errors. `source` is its text in the file, for CSV including the line break; '': too long to keep.
 */
export type Row = {
  row: number
  line: number
  data: string | null
  errors: readonly RowError[]
  source: string
}

/** The format of a file by its extension; null: unknown. */
export function formatOfName(name: string): FileFormat | null {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase()
  if (ending === 'ndjson' || ending === 'jsonl') return 'ndjson'
  if (ending === 'csv' || ending === 'tsv') return 'csv'
  return ending === 'json' ? 'json' : null
}

/**
 * Reads the rows of an NDJSON file or a JSON array.
 * @throws UnreadableFile
 */
export async function* readJsonRows(
  bytes: AsyncIterable<Uint8Array>,
  format: Exclude<FileFormat, 'csv'>,
): AsyncGenerator<Row> {
  let row = 0
  const reader = format === 'json' ? createJsonArrayReader() : createNdjsonReader()
  for await (const record of readRecords(decodeUtf8(bytes), reader)) {
    row++
    yield isBroken(record) ? brokenRow(row, record) : jsonRow(row, record)
  }
}

function jsonRow(row: number, { text, ...place }: JsonRecord): Row {
  const found = findSyntaxError(text, maxJsonDepth)
  if (found === null) return { row, line: place.line, data: text, errors: [], source: text }
  const { line, column } = placeIn(text, found.offset, place)
  const message = `it is not JSON: ${found.why} (line ${line}, column ${column})`
  return { row, line: place.line, data: null, errors: [{ message }], source: text }
}

/** The beginning of a CSV file: its format, and the text of its header. */
export type CsvHead = CsvDialect & { text: string }

/** A CSV file: the names of its columns, and its records, which can be read once. */
export type CsvFile = { header: readonly string[]; head: CsvHead; records: AsyncIterable<CsvRecord | BrokenRecord> }

/** @throws UnreadableFile, also for a file without a header */
export async function openCsv(bytes: AsyncIterable<Uint8Array>): Promise<CsvFile> {
  const reader = createCsvReader()
  const records = readRecords(decodeUtf8(bytes, { keepsMark: true }), reader)
  const { done, value: first } = await records.next()
  if (done) throw new UnreadableFile('line 1: the file is empty; its first line names the columns')
  if (isBroken(first)) throw new UnreadableFile(`line ${first.line}, column ${first.column}: ${first.problem}`)
  const head = { ...reader.dialect(), text: first.text }
  return { header: first.fields.map((name) => name.trim()), head, records }
}

/** The rows of a CSV file after its header. @throws UnreadableFile */
export async function* readCsvRows({ records }: Pick<CsvFile, 'records'>, write: DataWriter): AsyncGenerator<Row> {
  let row = 0
  for await (const record of records) {
    row++
    if (isBroken(record)) yield brokenRow(row, record)
    else {
      const written = write(record.fields)
      const [data, errors] = 'data' in written ? [written.data, []] : [null, written.errors]
      yield { row, line: record.line, data, errors, source: record.text }
    }
  }
}

function brokenRow(row: number, { line, column, problem, text }: BrokenRecord): Row {
  return { row, line, data: null, errors: [{ message: `${problem} (line ${line}, column ${column})` }], source: text }
}

async function* readRecords<R extends CsvRecord | JsonRecord>(
  texts: AsyncIterable<string>,
  reader: RecordReader<R>,
): AsyncGenerator<R | BrokenRecord> {
  for await (const text of texts) yield* reader.push(text)
  yield* reader.end()
}
