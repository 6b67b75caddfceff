import { type Client, ListdError, route } from '#client/src/main.ts'
import { defaultOrder } from '#shared/domain/item/filters.ts'
import {
  createExportWriter,
  defaultColumns,
  type ExportWriter,
  itemPages,
  parseExportColumn,
} from '#shared/domain/item-transfer/export.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { replaceFileBy } from '../../replace-file.ts'
import { createProgressLine } from '../../terminal/progress-line.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { ifAllowed } from './import-target.ts'
import { listFailure, withSentence } from './list-failure.ts'

export type ExportItemsOptions = {
  list: string
  format: 'ndjson' | 'csv'
  whole?: true
  fields?: string
  guardFormulas?: true
  filter?: string[]
  order?: string
  direction?: string
  output?: string
}

/** Text of the file, in chunks. */
type Write = (text: string) => unknown

/** `listd items export`: the items of a list, optionally filtered, as NDJSON or CSV; page by page. */
export async function exportItemsCommand(terminal: Terminal, options: ExportItemsOptions): Promise<void> {
  const query = queryOf(options)
  const columns = columnsOf(options)
  // Waiting for a response is fine: nothing depends on how long an export takes.
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

/** @throws Error for anything that is not a filter */
function queryOf({ filter = [], order, direction }: ExportItemsOptions): Query {
  const query: Record<string, string[]> = {}
  for (const text of filter) {
    const equals = text.indexOf('=')
    const name = text.slice(0, equals)
    if (equals < 1) throw new Error(`"${text}" is not a filter; write name=value, such as title=starts:pan.`)
    if (ownParameters.test(name)) throw new Error(`"${name}" is not a filter of items; an export reads all pages.`)
    const values = query[name] ?? []
    query[name] = [...values, text.slice(equals + 1)]
  }
  // Items created during the export come last, and no existing item is missed.
  const way = direction ?? (order === undefined ? 'asc' : undefined)
  return { ...query, order: order ?? defaultOrder, ...(way !== undefined && { direction: way }) }
}

/** @throws Error for columns of a format without columns */
function columnsOf({ format, fields, whole, guardFormulas }: ExportItemsOptions): string[] | null {
  if (format !== 'csv' && guardFormulas) throw new Error('--guard-formulas is for CSV; add --format csv.')
  if (format === 'csv' && whole) throw new Error('--whole is for NDJSON; --fields names the columns of CSV.')
  if (fields === undefined) return null
  if (format !== 'csv') throw new Error('--fields names the columns of CSV; add --format csv.')
  return fields.split(',').map((field) => parseExportColumn(field.trim()))
}

type Export = { options: ExportItemsOptions; query: Query; columns: string[] | null; write: Write }

/**
 * @returns the number of items
 * @throws CommandFailed that says how far the export got
 */
async function exportItems(
  terminal: Terminal,
  client: Client,
  { options, query, columns, write }: Export,
): Promise<number> {
  const line = createProgressLine(terminal)
  const list = await ifAllowed(client.lists.get(options.list))
  let writer: ExportWriter | null = null
  let count = 0
  try {
    for await (const items of pagesOf(client, list?.id ?? options.list, query)) {
      if (writer === null) {
        writer = writerOf(options, columns ?? defaultColumns(list?.schema ?? null, items))
        await write(writer.head)
      }
      await write(writer.lines(items))
      count += items.length
      line.show(counted(count, 'item'))
    }
  } catch (error) {
    if (!(error instanceof ListdError)) throw error
    const failure = listFailure(error, { name: options.list, id: list?.id ?? null })
    throw count === 0 ? failure : withSentence(failure, `The export stopped after ${counted(count, 'item')}.`)
  } finally {
    line.clear()
  }
  const incomplete = columns === null ? (writer?.incomplete() ?? 0) : 0
  if (incomplete > 0) {
    const those = counted(incomplete, 'item has', 'items have')
    terminal.stderr.write(`${those} data that no column shows; name the columns with --fields.\n`)
  }
  return count
}

/** @param list its id, if known: another list may take over its name during the export */
function pagesOf(client: Client, list: string, query: Query) {
  return itemPages((after) => {
    const options: object = { ...query, includeData: true, limit: 100, after }
    return client.send(route`GET /lists/${list}/items`, { options }).text()
  })
}

function writerOf({ format, whole, guardFormulas }: ExportItemsOptions, columns: readonly string[]) {
  return createExportWriter(whole ? 'items' : format, format === 'csv' ? columns : [], {
    isGuarded: guardFormulas === true,
  })
}
