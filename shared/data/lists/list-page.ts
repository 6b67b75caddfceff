import type { List } from '#shared/domain/list/list.ts'
import type { IdSelection } from '#shared/domain/permissions.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import { after, makeCursor, readCursor } from '../cursor.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { type Direction, fittingRows, type Page, type PageRequest } from '../page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, jsonArrayContainsAny } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'
import { listFromRow } from './lists.ts'

/** Flags of a list that can be filtered and ordered by; the columns have the same names. */
export const listFlags = [
  'pinned',
  'readonly',
  'realtime',
  'protected',
  'indexable',
  'generative',
  'activated',
] as const
export type ListFlag = (typeof listFlags)[number]

export type ListOrder = 'createdAt' | 'updatedAt' | 'name' | 'pathName' | 'scope' | 'itemCount' | ListFlag

/** Lists of an account that a request asks for and its principal may see. */
export type ListSet = {
  accountId: string
  visible: IdSelection
  /** Whether lists that are not activated are hidden. */
  activatedOnly: boolean
  /** Filters that are absent match all lists. */
  filters: { name?: TextFilter; pathName?: TextFilter; tagged?: string[][] } & { [flag in ListFlag]?: boolean }
}

export type ListPageRequest = PageRequest & { order: ListOrder }

/**
 * One page of lists. Indexes have them in the order of times and names; for other orders the account's lists are sorted,
 * which are few compared with its items.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export async function readListPage(db: Queries, set: ListSet, request: ListPageRequest): Promise<Page<List>> {
  const conditions = conditionsOf(set)
  const found = await readRows(db, conditions, request)
  const data = found.rows.map(listFromRow)
  if ('after' in request) return { limit: request.limit, next: found.next, data }
  const filtered = Object.keys(set.filters).length > 0
  return { page: request.page, limit: request.limit, ...(await countLists(db, conditions, filtered)), data }
}

async function readRows(
  db: Queries,
  conditions: Sql,
  request: ListPageRequest,
): Promise<{ rows: Row[]; next: string | null }> {
  const { limit, order, direction } = request
  const byCursor = 'after' in request
  const isText = textOrders.has(order)
  const isKey = (key: unknown) => typeof key === (isText ? 'string' : 'number')
  const from = byCursor && request.after !== '' ? readCursor(request.after, request, isKey) : null
  const key = keyOf(order, direction)
  const [rowLimit, offset] = byCursor ? [limit + 1, 0] : [limit, (request.page - 1) * limit]
  const bound = from ? sql` and ${after({ key, id: 'id', direction }, from)}` : raw('')
  const rows = await db.all(sql`select lists.*, ${raw(key)} as k from lists where ${conditions}${bound}
    order by ${raw(`${key} ${direction}, id ${direction}`)} limit ${rowLimit} offset ${offset}`)
  const shown = rows.slice(0, fittingRows(request, rows.slice(0, limit).map(schemaBytes)))
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  const position = last && { key: isText ? toText(last.k) : toNumber(last.k), id: toText(last.id) }
  return { rows: shown, next: position ? makeCursor(position, request) : null }
}

const schemaBytes = ({ schema }: Row) => Buffer.byteLength(toTextOrNull(schema) ?? '')

const textOrders: ReadonlySet<ListOrder> = new Set<ListOrder>(['name', 'pathName', 'scope'])

/** Lists without a scope come last in both directions: `~` sorts after every character of a scope, '' before. */
function keyOf(order: ListOrder, direction: Direction): string {
  if (order === 'scope') return `coalesce(lower(scope), '${direction === 'asc' ? '~' : ''}')`
  const columns = { createdAt: 'created_at', updatedAt: 'updated_at', name: 'name_key', pathName: 'path_key' } as const
  if (order === 'itemCount') return 'item_count'
  return order in columns ? columns[order as keyof typeof columns] : order
}

function conditionsOf({ accountId, visible, activatedOnly, filters }: ListSet): Sql {
  const { name, pathName, tagged = [] } = filters
  const flags = listFlags.filter((flag) => filters[flag] !== undefined)
  const isNamed = visible.except.length > 0 || !visible.rest
  return joinSql(
    [
      sql`account_id = ${accountId}`,
      ...(isNamed ? [visible.rest ? sql`not (${inList('id', visible.except)})` : inList('id', visible.except)] : []),
      ...(activatedOnly ? [raw('activated = 1')] : []),
      ...flags.map((flag) => sql`${raw(flag)} = ${Number(filters[flag])}`),
      ...(name ? [textFilterPredicate('name_key', name)] : []),
      ...(pathName ? [textFilterPredicate('path_key', pathName)] : []),
      ...tagged.map((tags) => jsonArrayContainsAny('lists.tags', tags)),
    ],
    ' and ',
  )
}

/** A filtered total is exact to 10,000 (contract 1.3). */
const maxExactCount = 10_000

async function countLists(
  db: Queries,
  conditions: Sql,
  filtered: boolean,
): Promise<{ total: number; totalIsAtLeast?: true }> {
  const most = filtered ? sql` limit ${maxExactCount + 1}` : raw('')
  const rows = sql`select 1 from lists where ${conditions}${most}`
  const counted = (await db.get<{ n: number }>(sql`select count(*) as n from (${rows}) found`))?.n ?? 0
  return filtered && counted > maxExactCount ? { total: maxExactCount, totalIsAtLeast: true } : { total: counted }
}
