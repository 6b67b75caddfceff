import type { Item } from '#shared/domain/item/item.ts'
import { shortTextBytes } from '#shared/domain/limits.ts'
import { unavailable } from '#shared/errors.ts'
import { toText } from '../columns.ts'
import { Conflict } from '../conflict.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { ItemOrder } from '../items/columns.ts'
import { findItems, itemColumnsBesideData, itemFromRow, owner } from '../items/items.ts'
import { type ListState, listStateColumns, listStateFromRow } from '../lists/lists.ts'
import { comparePositions, type SeekPosition } from '../pages/cursor.ts'
import { endPage, type PagePart, partOf, toPage } from '../pages/keyset.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { seenRows } from '../pages/seen-rows.ts'
import { packedColumns } from '../sql/packed-columns.ts'
import { raw, sql } from '../sql/sql.ts'
import { chooseAccessPath, count } from './access-path.ts'
import type { ItemSet } from './item-set.ts'
import { isKeyOf, keyOf, type Positions, positionsInOrder, type RowOrder } from './positions.ts'
import { filteredItemTotal, unfilteredTotal } from './total.ts'

/** `orderIndex`: the `valuesId` of the index by whose values the items are ordered, in place of a column. */
export type ItemPageRequest = PageRequest & ({ order: ItemOrder; orderIndex?: never } | { orderIndex: string })

type ItemPageOptions = {
  accountId: string
  set: ItemSet
  /** Whether filters leave out items that the principal may see: then the total is exact to 10,000 only. */
  filtered: boolean
  /** False: `data` of the items is not read and is null. */
  withData: boolean
  /**
   * Makes what the caller sees of an item, where that is less than the whole: the page is bounded by the bytes of the data that is
   * left. Needs `withData`.
   */
  see?: ((item: Item) => Item) | undefined
}

/**
 * A page and the list's settings version, read with the last rows and after filtered ones were counted: settings of that
 * version applied meanwhile, so that no index was emptied.
 */
export type ItemPage = { configVersion: number; page: Page<Item> }

/**
 * One page of the items of a set: how they are found, which of them the page shows, the total, and at last the rows.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter, when a page by
 *   number exceeds the bytes of a page, and when no index has the order and there are too many items to sort; Conflict when the
 *   list is gone; SERVICE_UNAVAILABLE when its items change faster than they are read
 */
export async function readItemPage(db: Queries, options: ItemPageOptions, request: ItemPageRequest): Promise<ItemPage> {
  const order: RowOrder = request.orderIndex === undefined ? { field: request.order } : { indexId: request.orderIndex }
  const part = partOf(request, isKeyOf(order))
  const accessPath = await chooseAccessPath(db, options.set)
  const positions = await positionsInOrder(accessPath, order)
  const hasTotal = !('after' in request)
  const counted = hasTotal && options.filtered ? await filteredItemTotal(accessPath) : null
  const { list, data, next } = await readConsistentRows(db, { ...options, order, positions, part }, request)
  const total = counted ?? (hasTotal ? { total: await unfilteredTotal(db, accessPath, list) } : null)
  return { configVersion: list.configVersion, page: toPage(request, { data, next }, total) }
}

type ReadOptions = ItemPageOptions & { order: RowOrder; positions: Positions; part: PagePart }

type Found = { list: ListState; data: Item[]; next: string | null }

/**
 * Long data is read by a second statement; when an item changed in between, the page is read again. Not by `retryOnConflict`:
 * a page costs too much to be read for seconds, and whoever reads competes with nobody, so there is no pause.
 */
const maxReads = 5

async function readConsistentRows(db: Queries, options: ReadOptions, request: ItemPageRequest): Promise<Found> {
  for (let reads = 0; reads < maxReads; reads++) {
    const found = await readRows(db, options, request)
    if (found) return found
  }
  throw unavailable('the items of the page changed too often')
}

/** @returns null when one of the items changed before its long data was read */
async function readRows(db: Queries, options: ReadOptions, request: ItemPageRequest): Promise<Found | null> {
  const { order, withData, see } = options
  const { list, rows } = await readPositions(db, options)
  const position = ({ k, id }: Row): SeekPosition => ({ key: keyOf(order, k), id: toText(id) })
  // A join guarantees no order.
  rows.sort((left, right) => comparePositions(position(left), position(right), request.direction))
  const read = rows.slice(0, request.limit).map(itemFromRow)
  const items = see ? await seenItems(db, { ...options, see }, read) : read
  if (!items) return null
  const sizes = items.map((item) => (see ? bytesOfData(item) : withData ? item.size : 0))
  const { rows: shown, next } = endPage(request, rows, { position, bytes: (_row, n) => sizes[n] ?? 0 })
  const found = items.slice(0, shown.length)
  const data = withData && !see ? await withLongData(db, options, found) : found
  return data && { list, data, next }
}

/** @returns null when one of the items changed since it was read */
function seenItems(
  db: Queries,
  options: ItemPageOptions & { see: (item: Item) => Item },
  items: readonly Item[],
): Promise<Item[] | null> {
  return seenRows(items, {
    bytes: ({ size }) => (size > shortTextBytes ? size : 0),
    complete: (part) => withLongData(db, options, part),
    see: options.see,
    seenBytes: bytesOfData,
  })
}

const bytesOfData = ({ data }: Item) => Buffer.byteLength(data)

/** @returns null when one of the items changed since it was read */
async function withLongData(
  db: Queries,
  { accountId, set }: ItemPageOptions,
  items: readonly Item[],
): Promise<Item[] | null> {
  const ids = items.filter(({ size }) => size > shortTextBytes).map(({ id }) => id)
  const whole = ids.length > 0 ? await findItems(db, { accountId, listId: set.listId }, ids) : null
  const completed = items.flatMap((item) => {
    if (item.size <= shortTextBytes) return item
    const now = whole?.items.get(item.id)
    return now?.revision === item.revision ? { ...item, data: now.data } : []
  })
  return completed.length === items.length ? completed : null
}

type RowsAt = { list: ListState; rows: Row[] }

/** The items at the positions of a part, in no order. Those without a value are read only where the page gets to them. */
async function readPositions(db: Queries, options: ReadOptions): Promise<RowsAt> {
  const { part, positions } = options
  const { select, missing } = positions
  if (!missing) return rowsAt(db, options, select(part))
  if (part.from?.key === null) return rowsAt(db, options, missing.select(part))
  const first = await rowsAt(db, options, select(part))
  if (first.rows.length === part.limit) return first
  const skipped = part.offset > 0 && first.rows.length === 0 ? part.offset - (await count(db, missing.others())) : 0
  const left = { ...part, from: null, limit: part.limit - first.rows.length, offset: Math.max(skipped, 0) }
  const rest = await rowsAt(db, options, missing.select(left))
  return { list: rest.list, rows: [...first.rows, ...rest.rows] }
}

/**
 * The items, and the state of their list in the same snapshot. The list has a row also where no item is.
 * @throws Conflict when the list is gone
 */
async function rowsAt(db: Queries, { accountId, set, withData }: ReadOptions, positions: Sql): Promise<RowsAt> {
  const { select: columns, unpack } = withData ? besideData : withoutData
  const rows = unpack(
    await db.all(sql`select ${columns}${raw(withData ? shortData : '')}
      from lists l left join (${positions}) p on 1 = 1 left join items i on i.id = p.id ${raw(owner)}
      where l.id = ${set.listId} and l.account_id = ${accountId}`),
  )
  if (!rows[0]) throw new Conflict('list')
  return { list: listStateFromRow(rows[0]), rows: rows.filter(({ id }) => id !== null) }
}

const columnsOfRow = { ...itemColumnsBesideData, ...listStateColumns, k: 'p.k' }
const besideData = packedColumns(columnsOfRow)
const withoutData = packedColumns({ ...columnsOfRow, data: "'null'" })
/** Data that is long is not read with the rows. */
const shortData = `, case when i.size <= ${shortTextBytes} then i.data else 'null' end as data`
