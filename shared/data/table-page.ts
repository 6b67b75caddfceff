import { maxFilteredTotal } from '#shared/domain/limits.ts'
import { toNumber, toText } from './columns.ts'
import { after } from './cursor.ts'
import type { Queries, Row } from './database.ts'
import type { Sql } from './dialect.ts'
import { endPage, filteredTotal, isNumberKey, isTextKey, type PagePart, partOf, toPage } from './keyset.ts'
import type { Page, PageRequest, Total } from './page.ts'
import { raw, sql } from './sql/sql.ts'
import type { Order } from './sql/table.ts'

/** The rows of one table that a request asks for and its principal may see, in their order. */
export type TableSet<T> = {
  table: string
  /** The columns that `fromRow` reads, as SQL. */
  columns: string
  conditions: Sql
  /** Whether the conditions include filters of the request: then the total is counted up to a limit only. */
  isFiltered: boolean
  order: Order
  fromRow(row: Row): T
  /** The size of a row's long texts; absent: the rows are short. */
  bytes?(row: Row): number
}

/**
 * One page of the rows of a table, for resources that are few compared with items: where no index has them in the page's
 * order, they are sorted.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export async function readTablePage<T>(db: Queries, set: TableSet<T>, request: PageRequest): Promise<Page<T>> {
  const { order } = set
  const part = partOf<string | number>(request, order.isText ? isTextKey : isNumberKey)
  const position = ({ k, id }: Row) => ({ key: order.isText ? toText(k) : toNumber(k), id: toText(id) })
  const found = await readRows(db, set, { ...part, key: order.key(request.direction) })
  const { rows, next } = endPage(request, found, { position, ...(set.bytes && { bytes: set.bytes }) })
  const total = 'after' in request ? null : await countRows(db, set)
  return toPage(request, { data: rows.map(set.fromRow), next }, total)
}

function readRows(
  db: Queries,
  { table, columns, conditions }: Pick<TableSet<unknown>, 'table' | 'columns' | 'conditions'>,
  { key, direction, from, limit, offset }: PagePart & { key: string },
): Promise<Row[]> {
  const bound = from ? sql` and ${after({ key, id: 'id', direction }, from)}` : raw('')
  return db.all(sql`select ${raw(columns)}, ${raw(key)} as k from ${raw(table)} where ${conditions}${bound}
    order by ${raw(`${key} ${direction}, id ${direction}`)} limit ${limit} offset ${offset}`)
}

async function countRows(
  db: Queries,
  { table, conditions, isFiltered }: Pick<TableSet<unknown>, 'table' | 'conditions' | 'isFiltered'>,
): Promise<Total> {
  const most = isFiltered ? sql` limit ${maxFilteredTotal + 1}` : raw('')
  const rows = sql`select 1 from ${raw(table)} where ${conditions}${most}`
  const counted = (await db.get<{ n: number }>(sql`select count(*) as n from (${rows}) found`))?.n ?? 0
  return isFiltered ? filteredTotal(counted) : { total: counted }
}
