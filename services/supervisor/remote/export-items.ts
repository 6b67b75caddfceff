import { type Client, route } from '#client/src/main.ts'
import {
  csvItemLine,
  csvLine,
  memberColumns,
  ndjsonLine,
  parseExportColumn,
  readItemPage,
} from '#shared/domain/item-transfer/export.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { createProgressLine } from '../progress-line.ts'
import { replaceFileBy } from '../replace-file.ts'
import type { Terminal } from '../terminal.ts'
import { withExplainedErrors } from './answer-failure.ts'
import { connect } from './connection.ts'

export type ExportItemsOptions = {
  list: string
  format: 'ndjson' | 'csv'
  whole?: true
  fields?: string
  filter?: string[]
  order?: string
  direction?: string
  output?: string
}

/** Text of the file, piece by piece. */
type Write = (text: string) => unknown

/** `listd items export`: the items of a list, or those that pass filters, as NDJSON or CSV; page by page. */
export async function exportItemsCommand(terminal: Terminal, options: ExportItemsOptions): Promise<void> {
  const query = queryOf(options)
  const columns = columnsOf(options)
  // An answer may be waited for: nothing depends on how long an export takes.
  const client = connect(terminal).with({ retries: 20, timeoutMs: 15 * 60_000 })
  const { output } = options
  const run = (write: Write) => exportItems(terminal, client, { options, query, columns, write })
  const items = await withExplainedErrors(async () => {
    if (output === undefined || output === '-') return await run((text) => terminal.stdout.write(text))
    let written = 0
    await replaceFileBy(output, async (file) => {
      written = await run((text) => file.appendFile(text))
    })
    return written
  })
  terminal.stderr.write(`Exported ${counted(items, 'item')}.\n`)
}

type Query = Record<string, string | string[]>

/** Parameters that an export sets itself. */
const ownParameters = /^(after|page|limit|includeData|order|direction|path)$/

/** @throws Error for a filter that is none */
function queryOf({ filter = [], order, direction }: ExportItemsOptions): Query {
  const query: Record<string, string[]> = {}
  for (const text of filter) {
    const equals = text.indexOf('=')
    const name = text.slice(0, equals)
    if (equals < 1) throw new Error(`"${text}" is no filter; write name=value, such as title=starts:pan.`)
    if (ownParameters.test(name)) throw new Error(`"${name}" is no filter of items; an export reads all pages.`)
    const values = query[name] ?? []
    query[name] = [...values, text.slice(equals + 1)]
  }
  // Items that are made meanwhile come last, and nothing that is there already is missed.
  const way = direction ?? (order === undefined ? 'asc' : undefined)
  return { ...query, order: order ?? 'createdAt', ...(way !== undefined && { direction: way }) }
}

/** @throws Error for columns of a format that has none */
function columnsOf({ format, fields, whole }: ExportItemsOptions): string[] | null {
  if (format === 'csv' && whole) throw new Error('--whole is for NDJSON; --fields names the columns of CSV.')
  if (fields === undefined) return null
  if (format !== 'csv') throw new Error('--fields names the columns of CSV; add --format csv.')
  return fields.split(',').map((field) => parseExportColumn(field.trim()))
}

type Export = { options: ExportItemsOptions; query: Query; columns: string[] | null; write: Write }

/** @returns how many items there were */
async function exportItems(
  terminal: Terminal,
  client: Client,
  { options, query, columns, write }: Export,
): Promise<number> {
  const { list, format, whole = false } = options
  const line = createProgressLine(terminal)
  let names = columns
  let count = 0
  let incomplete = 0
  for await (const items of pagesOf(client, list, query)) {
    if (format === 'csv' && names === null) names = await defaultColumns(client, list, items)
    if (format === 'csv' && count === 0) await write(csvLine(names ?? []))
    const known = new Set(names)
    const lines = items.map((item) => {
      if (format !== 'csv') return ndjsonLine(item, { whole })
      if (columns === null && memberColumns([item]).some((column) => !known.has(column))) incomplete++
      return csvItemLine(item, names ?? [])
    })
    await write(lines.join(''))
    count += items.length
    line.show(counted(count, 'item'))
  }
  line.clear()
  if (incomplete > 0) {
    terminal.stderr.write(
      `${counted(incomplete, 'item has', 'items have')} data that no column shows; name the columns with --fields.\n`,
    )
  }
  return count
}

/** The texts of all items, page by page; of none one empty page. */
async function* pagesOf(client: Client, list: string, query: Query): AsyncGenerator<readonly string[]> {
  let cursor: string | null = ''
  do {
    const options: object = { ...query, includeData: true, limit: 100, after: cursor }
    const text = await client.send(route`GET /lists/${list}/items`, { options }).text()
    const { items, next } = readItemPage(text)
    yield items
    cursor = next
  } while (cursor !== null)
}

/** The properties of the list's schema, if the token may know it, and what the first items have. */
async function defaultColumns(client: Client, list: string, items: readonly string[]): Promise<string[]> {
  const schema = await client.lists.get(list).then(
    (found) => found.schema,
    () => null,
  )
  const properties = Object.keys(Object(schema?.properties)).map(
    (name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  )
  return [...new Set([...properties, ...memberColumns(items)])]
}
