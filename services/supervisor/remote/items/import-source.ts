import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import type { Client } from '#client/src/main.ts'
import { arrayPointers, unclearPositions } from '#shared/domain/item-transfer/array-pointers.ts'
import {
  type Column,
  changeColumns,
  columnErrors,
  parseColumnChange,
  proposeColumns,
} from '#shared/domain/item-transfer/columns.ts'
import { createDataWriter, type EmptyCells } from '#shared/domain/item-transfer/row-data.ts'
import {
  type CsvHead,
  type FileFormat,
  formatOfName,
  openCsv,
  type Row,
  readCsvRows,
  readJsonRows,
} from '#shared/domain/item-transfer/rows.ts'
import { withFileName } from '#shared/files/with-file-name.ts'
import { printable } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { nameOfSource } from './import-failure.ts'
import { type ImportTarget, ifAllowed } from './import-target.ts'

export type ReadingOptions = { format?: FileFormat; map?: string[]; empty?: EmptyCells; unguardFormulas?: true }

/** How the rows of a file are read. `columns`, `arrays`: CSV only. */
export type Reading = {
  format: FileFormat
  columns: readonly Column[]
  /** From `arrayPointers`. A progress file of an earlier version has none. */
  arrays?: readonly string[]
  empty: EmptyCells
  isGuarded: boolean
}

/** The rows of a file, and how they are read. */
export type ImportSource = Reading & {
  rows: AsyncIterable<Row>
  /** CSV only. */
  head: CsvHead | null
  /** The share of the file that has been read; null: its length is unknown. */
  share(): number | null
}

/** The source of the bytes. `identity` distinguishes it from others; `size` null: it is a stream, which cannot be read again. */
export type ImportFile = { path: string; size: number | null; identity: readonly string[] }

/**
 * Identifies a file. A file is the same source until it is written to; a stream is a new source each time.
 * @param path `-`: standard input
 * @param named the caller's name for the source, which becomes its identity instead of path, size and time
 */
export async function findFile(path: string, named: string | undefined): Promise<ImportFile> {
  const found = path === '-' ? null : await stat(path, { bigint: true })
  const own = found?.isFile()
    ? ['file', await realpath(path), String(found.size), String(found.mtimeNs)]
    : ['stream', randomUUID()]
  return {
    path,
    size: found?.isFile() ? Number(found.size) : null,
    identity: named === undefined ? own : ['named', named],
  }
}

type Opening = { file: ImportFile; target: ImportTarget; options: ReadingOptions; saved: Reading | null }

/**
 * @param opening.saved how the continued import has read the file
 * @throws Error with a sentence; UnreadableFile
 */
export async function openSource(terminal: Terminal, client: Client, opening: Opening): Promise<ImportSource> {
  const { file, options, saved } = opening
  const format = asBefore(saved?.format, options.format, '--format') ?? formatOfName(file.path) ?? 'ndjson'
  const empty = asBefore(saved?.empty, options.empty, '--empty') ?? 'omit'
  const isGuarded = asBefore(saved?.isGuarded, options.unguardFormulas, '--unguard-formulas') ?? false
  const { bytes, share } = openBytes(terminal, file)
  if (format !== 'csv') {
    for (const [name, value] of Object.entries({ map: options.map, 'unguard-formulas': options.unguardFormulas })) {
      if (value !== undefined) throw new Error(`--${name} is for columns of a CSV file; add --format csv if it is one.`)
    }
    return { rows: readJsonRows(bytes, format), format, head: null, columns: [], empty, isGuarded, share }
  }
  const { header, head, records } = await openCsv(bytes)
  const columns = await columnsOf(client, header, opening)
  const schema = opening.target.list?.schema ?? null
  const arrays = saved ? (saved.arrays ?? arrayPointers(columns, null)) : arrayPointers(columns, schema)
  for (const sentence of unclearPositions(columns, { arrays, schema }))
    terminal.stderr.write(`${printable(sentence)}\n`)
  const rows = readCsvRows({ records }, createDataWriter(columns, empty, { isGuarded, arrays }))
  return { rows, format, head, columns, arrays, empty, isGuarded, share }
}

/** @throws Error for an option whose value differs from that of the continued import */
function asBefore<T>(saved: T | undefined, wanted: T | undefined, option: string): T | undefined {
  if (saved === undefined || wanted === undefined || saved === wanted) return saved ?? wanted
  throw new Error(`the interrupted import used another ${option}; omit the option to continue.`)
}

async function columnsOf(client: Client, header: readonly string[], opening: Opening): Promise<readonly Column[]> {
  const { target, options, saved } = opening
  const changes = (options.map ?? []).map(parseColumnChange)
  if (saved) return savedColumns(saved.columns, header, changes)
  const indexes = target.list ? await ifAllowed(client.list(target.list.id).indexes.all().toArray(100)) : null
  const shape = { schema: target.list?.schema ?? null, indexes: indexes ?? [] }
  const columns = changeColumns(proposeColumns(header, shape), changes)
  const [error] = columnErrors(columns)
  if (error) throw new Error(`the column "${header[error.column]}" cannot be imported: ${error.message}.`)
  if (columns.every(({ pointer }) => pointer === null)) throw new Error('all columns are left out.')
  return columns
}

/** @throws Error for a file with other columns, or for columns with another target than before */
function savedColumns(
  columns: readonly Column[],
  header: readonly string[],
  changes: ReturnType<typeof parseColumnChange>[],
): readonly Column[] {
  const other = header.findIndex((name, n) => name !== columns[n]?.name)
  if (other !== -1 || header.length !== columns.length) {
    throw new Error('the columns of the file differ from those of the interrupted import.')
  }
  const changed = changeColumns(columns, changes)
  const moved = changed.find(({ pointer, type }, n) => pointer !== columns[n]?.pointer || type !== columns[n]?.type)
  if (moved) throw new Error(`the interrupted import used another --map ${moved.name}; omit the option to continue.`)
  return columns
}

function openBytes({ stdin }: Terminal, { path, size }: ImportFile) {
  let read = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const stream = path === '-' ? stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
    const chunks = stream as AsyncIterable<Buffer | string>
    try {
      for await (const chunk of chunks) {
        const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
        read += piece.length
        yield piece
      }
    } catch (error) {
      throw withFileName(error, nameOfSource(path))
    }
  }
  return { bytes: bytes(), share: () => (size ? Math.min(1, read / size) : null) }
}

/** Such as `serves → /serves (number)`. */
export function describeColumns(columns: readonly Column[]): string {
  return columns.map(describeColumn).join(', ')
}

function describeColumn({ name, pointer, type, isUndecided }: Column, n: number): string {
  const shown = name || `#${n + 1}, which has no name,`
  if (pointer !== null) return `${shown} → ${pointer || 'all data'} (${type})`
  return isUndecided ? `${shown} has to be empty` : `${shown} is left out`
}
