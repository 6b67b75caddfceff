import { maxCounted } from '#shared/domain/limits.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { endPage, filteredTotal, isNumberKey, isTextKey, type PagePart, partOf, toPage } from './keyset.ts'
import type { Order } from './orders.ts'
import type { OrderKey, Page, PageRequest, Total } from './page.ts'
import { fewestRows, type RowSource } from './row-sources.ts'
import { countTableRows, readTableRows, type TableRows } from './table-rows.ts'
import { type WalkedTable, walkTable } from './table-walk.ts'
import { readWalked } from './walked-page.ts'

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
  /** Present: the table may have more rows than a request should read. */
  large?: LargeTable
  order: Order
  fromRow(row: Row): T
  /** The size of a row's long texts; absent: the rows are short. */
  bytes?(row: Row): number
}

/** How to find the rows of an account that pass filters without reading all rows. */
export type LargeTable = {
  /** The condition that a row is of the account; `conditions` leave it out. */
  account: Sql
  /** For each filter that an index serves, a source of all rows that may pass it, and perhaps others. */
  sources: readonly RowSource[]
  /** How rows are examined one by one in the order of the page if no source has few rows; absent: all are read. */
  walked?: WalkedTable
}

/**
 * One page of the rows of a table. Where an index has them in the page's order it is read only as far as the page goes; otherwise they
 * are sorted, for resources that are few compared with items. With filters, a page of a large table sorts the rows of the most selective
 * filter, if these are few. Otherwise it examines at most 20,000 rows, and a page by cursor may end early.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter; QUESTION_TOO_BROAD
 */
export async function readTablePage<T>(db: Queries, set: TableSet<T>, request: PageRequest): Promise<Page<T>> {
  const { isText, optional } = set.order
  const isKey = isText ? isTextKey : isNumberKey
  const part = partOf(request, (key): key is OrderKey => isKey(key) || (optional !== undefined && key === null))
  const { rows: found, total, examinedTo = null, examined } = await findRows(db, set, { request, part })
  const position = ({ k, id }: Row) => ({ key: keyOf(k, set.order), id: toText(id) })
  const { rows, next } = endPage(request, found, { position, examinedTo, ...(set.bytes && { bytes: set.bytes }) })
  return toPage(request, { data: rows.map(set.fromRow), next, ...(!request.sealing && { examined }) }, total)
}

/** Whether a walk may end on any row. For a caller who does not see all rows, a cursor could reveal a hidden row, unless it is sealed. */
export function mayWalk(seesAll: boolean, { sealing }: PageRequest): boolean {
  return seesAll || sealing !== undefined
}

type Found = { rows: Row[]; total: Total | null; examinedTo?: PagePart['from']; examined?: number | undefined }

async function findRows<T>(
  db: Queries,
  set: TableSet<T>,
  { request, part }: { request: PageRequest; part: PagePart },
): Promise<Found> {
  const { large, filters = [] } = set
  if (!large) return readAll(db, rowsOf(set, []), { request, part, isFiltered: filters.length > 0 })
  const ids = await fewestRows(db, large.sources, large.walked && 'after' in request ? maxSorted : maxCounted)
  if (ids)
    return readAll(db, rowsOf(set, [inList(set.id ?? 'id', ids)]), { request, part, isFiltered: filters.length > 0 })
  const rows = rowsOf(set, [large.account])
  // An unfiltered total is exact (contract 1.3).
  const isCounted = filters.length === 0 && !('after' in request)
  if (isCounted || !large.walked) return readAll(db, rows, { request, part, isFiltered: filters.length > 0 })
  return readWalked(walkTable(db, { rows, walked: large.walked }), request, part)
}

/**
 * The maximum number of rows that a page by cursor sorts: of more rows, a walk finds a page sooner. A page by number counts them anyway.
 */
const maxSorted = 1_000

function rowsOf<T>({ conditions, filters = [], id = 'id', ...set }: TableSet<T>, first: readonly Sql[]): TableRows {
  return { ...set, id, conditions: joinSql([...first, conditions, ...filters], ' and ') }
}

async function readAll(
  db: Queries,
  rows: TableRows,
  { request, part, isFiltered }: { request: PageRequest; part: PagePart; isFiltered: boolean },
): Promise<Found> {
  const whole = { direction: part.direction, from: null, to: null }
  const found = await readTableRows(db, rows, { ...part, to: null })
  if ('after' in request) return { rows: found, total: null }
  const counted = await countTableRows(db, rows, whole, isFiltered ? maxCounted + 1 : undefined)
  return { rows: found, total: isFiltered ? filteredTotal(counted) : { total: counted } }
}

function keyOf(k: unknown, { isText, optional }: Order): OrderKey {
  if (optional && (k === null || k === '')) return null
  return isText ? toText(k) : toNumber(k)
}
