import type { Item } from '#shared/domain/item/item.ts'
import { shortTextBytes } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { toNumber, toText } from '../columns.ts'
import { after, comparePositions, makeCursor, readCursor, type SeekPosition } from '../cursor.ts'
import type { Queries, Row } from '../database.ts'
import { readListState } from '../lists/lists.ts'
import { type Direction, fittingRows, type Page, type PageRequest } from '../page.ts'
import type { Sql } from '../sql/dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import {
  type AccessPath,
  type Candidates,
  candidates,
  chooseAccessPath,
  countedExactly,
  countUpTo,
  matches,
} from './item-matches.ts'
import { listRanges, rowsInOrder } from './item-ranges.ts'
import { existsIn, type ItemSet } from './item-set.ts'
import { itemTotal } from './item-total.ts'
import { itemColumnsWithoutData, itemColumnsWithShortData, itemFromRow, owner, readItems } from './items.ts'

/** What items can be ordered by; an index has the first two in order, by the others at most 10,000 items are sorted. */
const orderColumns = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  size: 'size',
  readonly: 'readonly',
  activated: 'activated',
  locked: 'locked',
} as const

export type ItemOrder = keyof typeof orderColumns

export type ItemPageRequest = PageRequest & { order: ItemOrder }

export type ItemPageOptions = {
  accountId: string
  set: ItemSet
  /** Whether the set leaves out items that the caller may see: then its total is exact to 10,000 only. */
  filtered: boolean
  /** False: `data` of the items is not read and is null. */
  withData: boolean
}

/** A page and, read after its rows, the settings version of the list: when it is a known one, so are the rows'. */
export type ItemPage = { configVersion: number; page: Page<Item> }

/**
 * One page of the items of a set.
 * @returns null when the list is gone; `too-many` when there are more items than are sorted by an order that no index has
 * @throws VALIDATION_FAILED for a cursor that is none, or was made with another order, direction or filter, and for a page
 *   by number of more bytes than a page has; SERVICE_UNAVAILABLE when its items change faster than they are read
 */
export async function readItemPage(
  db: Queries,
  options: ItemPageOptions,
  request: ItemPageRequest,
): Promise<ItemPage | 'too-many' | null> {
  const { accountId, set } = options
  const chosen = await chooseAccessPath(db, set)
  const found = await readSteadyRows(db, { ...options, chosen }, request)
  if (found === 'too-many') return found
  const list = await readListState(db, { accountId, listId: set.listId })
  if (!list) return null
  const { configVersion } = list
  const { items: data, next } = found
  if ('after' in request) return { configVersion, page: { limit: request.limit, next, data } }
  const { total, isAtLeast } = await itemTotal(db, { ...options, chosen, list })
  const { page, limit } = request
  return { configVersion, page: { page, limit, total, ...(isAtLeast && { totalIsAtLeast: true }), data } }
}

type Chosen = ItemPageOptions & { chosen: AccessPath }

type Rows = { items: Item[]; next: string | null }

/** Long data comes with a statement of its own: none of these items may change in between. */
const maxReads = 5

async function readSteadyRows(db: Queries, options: Chosen, request: ItemPageRequest): Promise<Rows | 'too-many'> {
  for (let reads = 0; reads < maxReads; reads++) {
    const found = await readRows(db, options, request)
    if (!found) return 'too-many'
    if (!options.withData || (await addLongData(db, options, found.items))) return found
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

/** @returns false: one of them is another by now */
async function addLongData(db: Queries, { accountId, set }: ItemPageOptions, items: Item[]): Promise<boolean> {
  const long = items.filter(({ size }) => size > shortTextBytes)
  if (long.length === 0) return true
  const ids = long.map(({ id }) => id)
  const whole = await readItems(db, { accountId, listId: set.listId }, ids)
  if (!whole) return true // the list is gone, as whoever asked is about to be told
  for (const item of long) {
    const now = whole.items.get(item.id)
    if (now?.revision !== item.revision) return false
    item.data = now.data
  }
  return true
}

async function readRows(db: Queries, options: Chosen, request: ItemPageRequest): Promise<Rows | null> {
  const byCursor = 'after' in request
  const from = byCursor && request.after !== '' ? readCursor(request.after, request, isNumber) : null
  const { limit, order, direction } = request
  const part = byCursor ? { limit: limit + 1, offset: 0 } : { limit, offset: (request.page - 1) * limit }
  const places = await placesInOrder(db, options, { order, direction, from, ...part })
  if (!places) return null
  const columns = raw(options.withData ? itemColumnsWithShortData : itemColumnsWithoutData)
  const rows = await db.all(
    sql`select ${columns}, p.k from (${places}) p cross join items i ${raw(owner)} where i.id = p.id`,
  )
  // A join promises no order, whatever order its rows are found in.
  rows.sort((left, right) => comparePositions(placeOf(left), placeOf(right), direction))
  const found = rows.slice(0, limit).map(itemFromRow)
  const fitting = options.withData ? fittingRows(request, found.map(({ size }) => size)) : found.length // biome-ignore format: one line
  const last = rows.length > fitting ? rows[fitting - 1] : undefined
  return { items: found.slice(0, fitting), next: last ? makeCursor(placeOf(last), request) : null }
}

const isNumber = (key: unknown) => typeof key === 'number'

function placeOf({ k, id }: Row): SeekPosition {
  return { key: toNumber(k), id: toText(id) }
}

type Ordering = { order: ItemOrder } & Part
type Part = { direction: Direction; from: SeekPosition | null; limit: number; offset: number }

/** `id` and `k`, the key, of the items in order; null: there are too many to be sorted. */
async function placesInOrder(db: Queries, { set, chosen }: Chosen, { order, ...part }: Ordering): Promise<Sql | null> {
  const column = orderColumns[order]
  const { driving: through, others } = chosen
  if (through?.indexRanges && column === 'created_at') {
    return rowsInOrder(set, { ranges: through.indexRanges, conditions: others }, { column, ...part })
  }
  const indexed = column === 'created_at' || column === 'updated_at' ? column : null
  const walkList = indexed && (() => rowsInOrder(set, wholeList(set, chosen), { column: indexed, ...part }))
  if (walkList && !through) return walkList()
  const found = through?.candidates ? [through.candidates] : matches(set, chosen)
  if ((await countUpTo(db, found, countedExactly)) <= countedExactly) {
    return sorted(candidates(set, chosen), { column, ...part })
  }
  return walkList ? walkList() : null
}

function wholeList(set: ItemSet, { driving: through, others }: AccessPath) {
  return { ranges: listRanges(set), conditions: through ? [through, ...others] : others }
}

/**
 * The key of each item is looked up by its id: a server that misjudges how many there are would sort all items for a join.
 * MariaDB forgets what `f` is when this is one select deeper and runs for the second time.
 */
function sorted({ ids, pass }: Candidates, { column, direction, from, limit, offset }: Part & { column: string }): Sql {
  const key = `s.${column}`
  const bound = from && existsIn('items s', 's.id', 'f.id', after({ key, id: 's.id', direction }, from))
  const conditions = [pass, bound].filter((condition) => condition !== null)
  const where = conditions.length > 0 ? sql`where ${joinSql(conditions, ' and ')}` : raw('')
  return sql`select f.id, (select ${raw(key)} from items s where s.id = f.id) as k from (${joinSql(ids, ' union all ')}) f ${where}
    order by k ${raw(direction)}, id ${raw(direction)} limit ${limit} offset ${offset}`
}
