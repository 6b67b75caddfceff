import type { ItemOrder } from '#shared/domain/item/filters.ts'
import type { Item } from '#shared/domain/item/item.ts'
import * as limits from '#shared/domain/limits.ts'
import { unavailable } from '#shared/errors.ts'
import type { Queries } from '../database.ts'
import { findItems, itemFromRow } from '../items/items.ts'
import type { ListState } from '../lists/lists.ts'
import { comparePositions } from '../pages/cursor.ts'
import { endPage, partOf, toPage } from '../pages/keyset.ts'
import type { Page, PageRequest, Total } from '../pages/page.ts'
import { seenRows } from '../pages/seen-rows.ts'
import { chooseAccessPath } from './access-path.ts'
import type { ItemSet } from './item-set.ts'
import { isKeyOf, positionOf, positionsInOrder } from './positions.ts'
import { type ReadOptions, readPositions, type Unserved } from './read-positions.ts'
import type { RowOrder } from './row-ranges.ts'
import { positionsByParts } from './text-parts.ts'
import { unfilteredTotal } from './total.ts'

/** `orderIndex`: the `valuesId` of the index by whose values the items are ordered, in place of a column. */
export type ItemPageRequest = PageRequest & ({ order: ItemOrder; orderIndex?: never } | { orderIndex: string })

export type ItemPageOptions = {
  accountId: string
  set: ItemSet
  /** Whether filters leave out items that the principal may see: then the total is exact only up to 10,000. */
  filtered: boolean
  /** False: `data` of the items is not read and is null. */
  withData: boolean
  /**
   * Returns what the caller sees of an item, where that is less than the whole. The bytes of the remaining data bound the page.
   * Needs `withData`.
   */
  see?: ((item: Item) => Item) | undefined
  /**
   * The bytes of an item that count towards the bound of the page, where these are not all of its data. The item is read whole.
   * Needs `withData`.
   */
  seenBytes?: ((item: Item) => number) | undefined
  /**
   * The part of the request that no index serves, and a sentence about a question that an index would serve; absent: the page
   * number.
   */
  unserved?: Unserved
  /** How many rows may be examined; 20,000 if absent. */
  maxExamined?: number
}

/**
 * A page, and the version of the list's settings. The version is read with the last rows, after filtered items were counted: if it
 * is the one that the caller has read before, no index was emptied meanwhile.
 */
export type ItemPage = { configVersion: number; page: Page<Item> }

/**
 * Reads one page of the items of a set. At most 20,000 rows that no index serves are examined: a page by cursor may end early, with
 * fewer items than its limit or without any.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter, when a page by
 *   number exceeds the bytes of a page, and when no index has the order and there are too many items to sort; QUESTION_TOO_BROAD for
 *   a page by number that needs more rows; Conflict when the list is gone; SERVICE_UNAVAILABLE when its items change faster than
 *   they are read
 */
export async function readItemPage(db: Queries, options: ItemPageOptions, request: ItemPageRequest): Promise<ItemPage> {
  const order: RowOrder = request.orderIndex === undefined ? { field: request.order } : { indexId: request.orderIndex }
  const part = partOf(request, isKeyOf(order))
  const { maxExamined = limits.maxExamined } = options
  const accessPath = await chooseAccessPath(db, options.set, { direction: request.direction, maxExamined })
  const inOrder = await positionsInOrder(db, accessPath, { order, maxExamined })
  const positions = await positionsByParts(
    db,
    { path: accessPath, positions: inOrder },
    { order, request, part, maxExamined },
  )
  const { list, total, ...found } = await readConsistentRows(
    db,
    { ...options, order, positions, part, maxExamined },
    request,
  )
  const isCounted = !('after' in request) && !options.filtered
  const ofList = isCounted ? { total: await unfilteredTotal(db, accessPath, list) } : null
  return { configVersion: list.configVersion, page: toPage(request, found, total ?? ofList) }
}

type PageOptions = Omit<ItemPageOptions, 'maxExamined'> & ReadOptions

/** `total`: the number of items that pass filters, on a page by number. */
type Found = { list: ListState; data: Item[]; next: string | null; examined?: number; total: Total | null }

/**
 * Long data is read by a second statement. When an item changed in between, the page is read again, at most this often in all.
 * `retryOnConflict` is not used: a page costs too much to be repeated for seconds, and readers do not compete, so no pause is
 * needed.
 */
const maxReads = 5

async function readConsistentRows(db: Queries, options: PageOptions, request: ItemPageRequest): Promise<Found> {
  for (let reads = 0; reads < maxReads; reads++) {
    const found = await readRows(db, options, request)
    if (found) return found
  }
  throw unavailable('the items of the page changed too often')
}

/** @returns null when one of the items changed before its long data was read */
async function readRows(db: Queries, options: PageOptions, request: ItemPageRequest): Promise<Found | null> {
  const { order, withData, seenBytes } = options
  const see = options.see ?? (seenBytes && whole)
  const { list, rows, examinedTo, examined, total } = await readPositions(db, options, !('after' in request))
  const position = positionOf(order)
  // A join guarantees no order.
  rows.sort((left, right) => comparePositions(position(left), position(right), request.direction))
  const read = rows.slice(0, request.limit).map(itemFromRow)
  const items = see ? await seenItems(db, { ...options, see }, read) : read
  if (!items) return null
  const sizes = items.map((item) => (see ? (seenBytes ?? bytesOfData)(item) : withData ? item.size : 0))
  const end = endPage(request, rows, { position, bytes: (_row, n) => sizes[n] ?? 0, examinedTo })
  const found = items.slice(0, end.rows.length)
  const data = withData && !see ? await withLongData(db, options, found) : found
  return data && { list, data, next: end.next, total, ...(examinedTo && !request.sealing && { examined }) }
}

/** @returns null when one of the items changed since it was read */
function seenItems(
  db: Queries,
  options: PageOptions & { see: (item: Item) => Item },
  items: readonly Item[],
): Promise<Item[] | null> {
  return seenRows(items, {
    bytes: ({ size }) => (size > limits.shortTextBytes ? size : 0),
    complete: (part) => withLongData(db, options, part),
    see: options.see,
    seenBytes: options.seenBytes ?? bytesOfData,
  })
}

const whole = (item: Item) => item

const bytesOfData = ({ data }: Item) => Buffer.byteLength(data)

/** @returns null when one of the items changed since it was read */
async function withLongData(
  db: Queries,
  { accountId, set }: PageOptions,
  items: readonly Item[],
): Promise<Item[] | null> {
  const ids = items.filter(({ size }) => size > limits.shortTextBytes).map(({ id }) => id)
  const whole = ids.length > 0 ? await findItems(db, { accountId, listId: set.listId }, ids) : null
  const completed = items.flatMap((item) => {
    if (item.size <= limits.shortTextBytes) return item
    const now = whole?.items.get(item.id)
    return now?.revision === item.revision ? { ...item, data: now.data } : []
  })
  return completed.length === items.length ? completed : null
}
