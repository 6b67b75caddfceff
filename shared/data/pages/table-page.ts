import { maxCounted } from '#shared/domain/limits.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { limitRows, limitToEnd } from '../sql/ordered-union.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { after } from './cursor.ts'
import { endPage, filteredTotal, isNumberKey, isTextKey, type PagePart, partOf, toPage } from './keyset.ts'
import type { Order } from './orders.ts'
import type { OrderKey, Page, PageRequest, Total } from './page.ts'

/** The rows of a table that a request asks for and its principal may see, in their order. */
type TableSet<T> = {
  /** The table, perhaps with others joined to it that have at most one row for each of its rows. */
  table: string
  /** The columns that `fromRow` reads; the id is named `id`. */
  columns: Sql
  /** The column of the id where others of the joined tables have one too. */
  id?: string
  /** The rows that the principal may see. */
  conditions: Sql
  /** The conditions of the filters of the request: with one, the total is counted up to a limit only. */
  filters?: readonly Sql[]
  order: Order
  fromRow(row: Row): T
  /** The size of a row's long texts; absent: the rows are short. */
  bytes?(row: Row): number
}

/**
 * One page of the rows of a table. Where an index has them in the page's order it is read only as far as the page goes;
 * otherwise they are sorted, for resources that are few compared with items.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export async function readTablePage<T>(db: Queries, set: TableSet<T>, request: PageRequest): Promise<Page<T>> {
  const { isText, optional } = set.order
  const isKey = isText ? isTextKey : isNumberKey
  const part = partOf(request, (key): key is OrderKey => isKey(key) || (optional !== undefined && key === null))
  const filtered = { ...set, conditions: joinSql([set.conditions, ...(set.filters ?? [])], ' and ') }
  const found = optional
    ? await readPresentFirst(db, { ...filtered, optional }, part)
    : await readRows(db, filtered, part)
  const position = ({ k, id }: Row) => ({ key: keyOf(k, set.order), id: toText(id) })
  const { rows, next } = endPage(request, found, { position, ...(set.bytes && { bytes: set.bytes }) })
  const total = 'after' in request ? null : await readTotal(db, filtered)
  return toPage(request, { data: rows.map(set.fromRow), next }, total)
}

type Rows = Pick<TableSet<unknown>, 'table' | 'columns' | 'id' | 'conditions' | 'order'>

function keyOf(k: unknown, { isText, optional }: Order): OrderKey {
  if (optional && (k === null || k === '')) return null
  return isText ? toText(k) : toNumber(k)
}

/** Rows without a value come last in both directions: they are a range of their own. */
async function readPresentFirst(
  db: Queries,
  { optional, ...set }: Rows & { optional: NonNullable<Order['optional']> },
  part: PagePart,
): Promise<Row[]> {
  const present = { ...set, conditions: sql`${set.conditions} and ${raw(optional.present)}` }
  const missing = { ...set, conditions: sql`${set.conditions} and ${raw(optional.missing)}` }
  if (part.from?.key === null) return readRows(db, missing, part)
  const first = await readRows(db, present, part)
  if (first.length === part.limit) return first
  const skipped = part.offset > 0 && first.length === 0 ? part.offset - (await countRows(db, present)) : 0
  const rest = { ...part, from: null, limit: part.limit - first.length, offset: skipped }
  return [...first, ...(await readRows(db, missing, rest))]
}

function readRows(
  db: Queries,
  { table, columns, id = 'id', conditions, order }: Rows,
  { direction, from, limit, offset }: PagePart,
): Promise<Row[]> {
  const { key } = order
  const bound = from
    ? sql` and ${from.key === null ? afterId(id, direction, from.id) : after({ key, id, direction }, from)}`
    : raw('')
  return db.all(sql`select ${columns}, ${raw(key)} as k from ${raw(table)} where ${conditions}${bound}
    order by ${raw(`${key} ${direction}, ${id} ${direction}`)} ${limitRows({ limit, offset })}`)
}

function afterId(column: string, direction: PagePart['direction'], id: string): Sql {
  return sql`${raw(`${column} ${direction === 'asc' ? '>' : '<'} `)}${id}`
}

async function readTotal(
  db: Queries,
  { filters = [], ...set }: Pick<TableSet<unknown>, 'table' | 'conditions' | 'filters'>,
): Promise<Total> {
  if (filters.length === 0) return { total: await countRows(db, set) }
  return filteredTotal(await countRows(db, set, maxCounted + 1))
}

async function countRows(
  db: Queries,
  { table, conditions }: Pick<Rows, 'table' | 'conditions'>,
  most?: number,
): Promise<number> {
  const end = most === undefined ? raw('') : sql` ${limitToEnd({ limit: most })}`
  const rows = sql`select 1 from ${raw(table)} where ${conditions}${end}`
  return toNumber((await db.get(sql`select count(*) as n from (${rows}) found`))?.n ?? 0)
}
