import { route } from '#client/src/transport.ts'
import { defaultOrder } from '#shared/domain/item/filters.ts'
import { createExportWriter, type ExportFormat, itemPages } from '#shared/domain/item-transfer/export.ts'
import { client } from '../../api/client.ts'

/** Query parameters of the page that are not item filters. */
const ownParameters = new Set(['after', 'column', 'format'])

/** The filters and the order from the address, which uses the parameters of the API. */
export function readFilters(query: URLSearchParams): Record<string, string[]> {
  const filters: Record<string, string[]> = {}
  for (const name of new Set(query.keys())) {
    if (!ownParameters.has(name) && !name.startsWith('_')) filters[name] = query.getAll(name)
  }
  return filters
}

/** What to export. `columns` and `isGuarded` apply to CSV; `isGuarded` puts an apostrophe before formulas. */
export type Export = {
  list: string
  query: Record<string, string[]>
  format: ExportFormat
  columns: readonly string[]
  isGuarded: boolean
}

/** Reads a page of items as text. @param limit at most 100 */
export function askForPage({ list, query }: Pick<Export, 'list' | 'query'>, limit: number, signal?: AbortSignal) {
  // In this order, items that are created during the export come last, and no existing item is missed.
  const order = query.order ? {} : { order: defaultOrder, direction: 'asc' }
  return (after: string): Promise<string> => {
    const options = { ...order, ...query, includeData: true, limit, after, signal }
    return client.send(route`GET /lists/${list}/items`, { options }).text()
  }
}

/**
 * Writes items page by page.
 * @param file receives the pieces of the file
 * @returns the number of items, and how many of them have data that is not in any column
 */
export async function exportItems(
  what: Export,
  file: { write(text: string): Promise<void> | void; onCount(count: number): void; signal: AbortSignal },
): Promise<{ count: number; incomplete: number }> {
  const writer = createExportWriter(what.format, what.columns, what)
  let count = 0
  await file.write(writer.head)
  for await (const items of itemPages(askForPage(what, 100, file.signal))) {
    await file.write(writer.lines(items))
    count += items.length
    file.onCount(count)
    file.signal.throwIfAborted()
  }
  return { count, incomplete: writer.incomplete() }
}
