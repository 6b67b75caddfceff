import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Client, ListdError } from '#client/src/main.ts'
import {
  type Column,
  changeColumns,
  columnErrors,
  type ListShape,
  parseColumnChange,
  proposeColumns,
} from '#shared/domain/item-transfer/columns.ts'
import { createDataWriter, type EmptyCells } from '#shared/domain/item-transfer/row-data.ts'
import {
  type FileFormat,
  formatOfName,
  openCsv,
  type Row,
  readCsvRows,
  readJsonRows,
} from '#shared/domain/item-transfer/rows.ts'
import type { Terminal } from '../terminal.ts'

export type SourceOptions = { list: string; format?: FileFormat; map?: string[]; empty?: EmptyCells }

/** The rows of a file, and how they are read. `columns` are of CSV only. */
export type ImportSource = {
  rows: AsyncIterable<Row>
  format: FileFormat
  header: readonly string[]
  columns: readonly Column[]
  /** Which share of the file has been read; null: nobody knows how long it is. */
  share(): number | null
}

/** @param file a path; `-`: standard input. @throws Error with a sentence; UnreadableFile */
export async function openSource(
  terminal: Terminal,
  client: Client,
  { file, list, map = [], empty = 'omit', ...options }: SourceOptions & { file: string },
): Promise<ImportSource> {
  const format = options.format ?? formatOfName(file) ?? 'ndjson'
  const { bytes, share } = await openBytes(terminal, file)
  if (format !== 'csv') {
    if (map.length > 0) throw new Error('--map is for columns of a CSV file; add --format csv if it is one.')
    return { rows: readJsonRows(bytes, format), format, header: [], columns: [], share }
  }
  const { header, records } = await openCsv(bytes)
  const columns = changeColumns(proposeColumns(header, await shapeOf(client, list)), map.map(parseColumnChange))
  const [error] = columnErrors(columns)
  if (error) throw new Error(`the column "${header[error.column]}" cannot be imported: ${error.message}.`)
  if (columns.every(({ pointer }) => pointer === null)) throw new Error('all columns are left out.')
  return { rows: readCsvRows({ records }, createDataWriter(columns, empty)), format, header, columns, share }
}

async function openBytes({ stdin }: Terminal, file: string) {
  const size = file === '-' ? null : (await stat(file)).size
  let read = 0
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const stream = file === '-' ? stdin : createReadStream(file, { highWaterMark: 256 * 1024 })
    for await (const chunk of stream as AsyncIterable<Buffer | string>) {
      const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      read += piece.length
      yield piece
    }
  }
  return { bytes: bytes(), share: () => (size ? Math.min(1, read / size) : null) }
}

/** What the list says of its items' data, as far as the token may know. */
async function shapeOf(client: Client, list: string): Promise<ListShape> {
  try {
    const { schema } = await client.lists.get(list)
    return { schema, indexes: await client.list(list).indexes.all().toArray(100) }
  } catch (error) {
    if (error instanceof ListdError && (error.status === 403 || error.status === 404))
      return { schema: null, indexes: [] }
    throw error
  }
}

/** Such as `serves → /serves (number)`. */
export function describeColumns(columns: readonly Column[]): string {
  return columns
    .map(({ name, pointer, type }) =>
      pointer === null ? `${name} is left out` : `${name} → ${pointer || 'all data'} (${type})`,
    )
    .join(', ')
}
