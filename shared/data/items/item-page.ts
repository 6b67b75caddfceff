import type { Item } from '#shared/domain/item/item.ts'
import { shortTextBytes } from '#shared/domain/limits.ts'
import { unavailable } from '#shared/errors.ts'
import { toNumber, toText } from '../columns.ts'
import { comparePositions, type SeekPosition } from '../cursor.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { endPage, type PagePart, partOf, toPage } from '../keyset.ts'
import { findListState } from '../lists/lists.ts'
import type { Page, PageRequest } from '../page.ts'
import { raw, sql } from '../sql/sql.ts'
import { type AccessPath, chooseAccessPath, count } from './item-matches.ts'
import { type ItemOrder, isKeyOf, keyOf, type Positions, positionsInOrder, type RowOrder } from './item-positions.ts'
import type { ItemSet } from './item-set.ts'
import { filteredItemTotal, unfilteredTotal } from './item-total.ts'
import { findItems, itemColumnsWithoutData, itemColumnsWithShortData, itemFromRow, owner } from './items.ts'

/** `orderIndex`: the `valuesId` of the index by whose values the items are ordered, in place of a column. */
export type ItemPageRequest = PageRequest & ({ order: ItemOrder; orderIndex?: never } | { orderIndex: string })

type ItemPageOptions = {
  accountId: string
  set: ItemSet
  /** Whether filters leave out items that the principal may see: then the total is exact to 10,000 only. */
  filtered: boolean
  /** False: `data` of the items is not read and is null. */
  withData: boolean
}

/**
 * A page and the list's settings version, read after the rows and after filtered ones were counted: settings of that version
 * applied meanwhile, so that no index was emptied.
 */
type ItemPage = { configVersion: number; page: Page<Item> }

/**
 * One page of the items of a set.
 * @returns null when the list is gone; `too-many` when no index has the order and there are too many items to sort
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter, and when a page
 *   by number exceeds the bytes of a page; SERVICE_UNAVAILABLE when its items change faster than they are read
 */
export async function readItemPage(
  db: Queries,
  options: ItemPageOptions,
  request: ItemPageRequest,
): Promise<ItemPage | 'too-many' | null> {
  const { accountId, set } = options
  const accessPath = await chooseAccessPath(db, set)
  const found = await readConsistentRows(db, { ...options, accessPath }, request)
  if (found === 'too-many') return found
  const isCounted = !('after' in request)
  const counted = isCounted && options.filtered ? await filteredItemTotal(db, set, accessPath) : null
  const list = await findListState(db, { accountId, listId: set.listId })
  if (!list) return null
  const { configVersion } = list
  const total =
    counted ?? (isCounted ? { total: await unfilteredTotal(db, { set, accessPath, counters: list }) } : null)
  return { configVersion, page: toPage(request, found, total) }
}

type PathOptions = ItemPageOptions & { accessPath: AccessPath }

type Found = { data: Item[]; next: string | null }

/**
 * Long data is read by a second statement; when an item changed in between, the page is read again. Not by `retryOnConflict`:
 * a page costs too much to be read for seconds, and whoever reads competes with nobody, so there is no pause.
 */
const maxReads = 5

async function readConsistentRows(
  db: Queries,
  options: PathOptions,
  request: ItemPageRequest,
): Promise<Found | 'too-many'> {
  for (let reads = 0; reads < maxReads; reads++) {
    const found = await readRows(db, options, request)
    if (!found) return 'too-many'
    if (!options.withData || (await addLongData(db, options, found.data))) return found
  }
  throw unavailable()
}

/** @returns false when one of the items changed since it was read */
async function addLongData(db: Queries, { accountId, set }: ItemPageOptions, items: Item[]): Promise<boolean> {
  const long = items.filter(({ size }) => size > shortTextBytes)
  if (long.length === 0) return true
  const ids = long.map(({ id }) => id)
  const whole = await findItems(db, { accountId, listId: set.listId }, ids)
  if (!whole) return true // the list is gone, which the caller finds out next
  for (const item of long) {
    const now = whole.items.get(item.id)
    if (now?.revision !== item.revision) return false
    item.data = now.data
  }
  return true
}

async function readRows(db: Queries, options: PathOptions, request: ItemPageRequest): Promise<Found | null> {
  const order: RowOrder = request.orderIndex === undefined ? { field: request.order } : { indexId: request.orderIndex }
  const part = partOf(request, isKeyOf(order))
  const positions = await positionsInOrder(options, order)
  if (!positions) return null
  const rows = await readPositions(db, positions, { ...part, withData: options.withData })
  const position = ({ k, id }: Row): SeekPosition => ({ key: keyOf(order, k), id: toText(id) })
  // A join guarantees no order.
  rows.sort((left, right) => comparePositions(position(left), position(right), request.direction))
  const bytes = (row: Row) => (options.withData ? toNumber(row.size) : 0)
  const { rows: shown, next } = endPage(request, rows, { position, bytes })
  return { data: shown.map(itemFromRow), next }
}

/** The items at the positions of a part, in no order. Those without a value are read only where the page gets to them. */
async function readPositions(
  db: Queries,
  { select, missing }: Positions,
  { withData, ...part }: PagePart & { withData: boolean },
): Promise<Row[]> {
  const columns = raw(withData ? itemColumnsWithShortData : itemColumnsWithoutData)
  const rowsAt = (positions: Sql) =>
    db.all(sql`select ${columns}, p.k from (${positions}) p cross join items i ${raw(owner)} where i.id = p.id`)
  if (!missing) return rowsAt(select(part))
  if (part.from?.key === null) return rowsAt(missing.select(part))
  const first = await rowsAt(select(part))
  if (first.length === part.limit) return first
  const skipped = part.offset > 0 && first.length === 0 ? part.offset - (await count(db, missing.others())) : 0
  const rest = { ...part, from: null, limit: part.limit - first.length, offset: Math.max(skipped, 0) }
  return [...first, ...(await rowsAt(missing.select(rest)))]
}
