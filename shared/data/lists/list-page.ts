import { maxFilteredTotal } from '#shared/domain/limits.ts'
import type { List } from '#shared/domain/list/fields.ts'
import type { IdSelection } from '#shared/domain/permissions.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import { after } from '../cursor.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { endPage, filteredTotal, isNumberKey, isTextKey, type PagePart, partOf, toPage } from '../keyset.ts'
import type { Page, PageRequest, Total } from '../page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, jsonArrayContainsAny } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'
import { type ListFlag, type ListOrder, listFlags, listOrders, listTable } from './columns.ts'

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
  const { isText, key } = listOrders[request.order]
  const part = partOf<string | number>(request, isText ? isTextKey : isNumberKey)
  const position = ({ k, id }: Row) => ({ key: isText ? toText(k) : toNumber(k), id: toText(id) })
  const found = await readRows(db, conditions, { ...part, key: key(request.direction) })
  const { rows, next } = endPage(request, found, { position, bytes: schemaBytes })
  const filtered = Object.keys(set.filters).length > 0
  const total = 'after' in request ? null : await countLists(db, conditions, filtered)
  return toPage(request, { data: rows.map(listTable.fromRow), next }, total)
}

function readRows(
  db: Queries,
  conditions: Sql,
  { key, direction, from, limit, offset }: PagePart & { key: string },
): Promise<Row[]> {
  const bound = from ? sql` and ${after({ key, id: 'id', direction }, from)}` : raw('')
  return db.all(sql`select lists.*, ${raw(key)} as k from lists where ${conditions}${bound}
    order by ${raw(`${key} ${direction}, id ${direction}`)} limit ${limit} offset ${offset}`)
}

const schemaBytes = ({ schema }: Row) => Buffer.byteLength(toTextOrNull(schema) ?? '')

function conditionsOf({ accountId, visible, activatedOnly, filters }: ListSet): Sql {
  const { name, pathName, tagged = [] } = filters
  const flags = listFlags.filter((flag) => filters[flag] !== undefined)
  const isNamed = visible.except.length > 0 || !visible.rest
  return joinSql(
    [
      sql`account_id = ${accountId}`,
      ...(isNamed ? [visible.rest ? sql`not (${inList('id', visible.except)})` : inList('id', visible.except)] : []),
      ...(activatedOnly ? [raw('activated = 1')] : []),
      ...flags.map((flag) => sql`${raw(listTable.columns[flag])} = ${Number(filters[flag])}`),
      ...(name ? [textFilterPredicate('name_key', name)] : []),
      ...(pathName ? [textFilterPredicate('path_key', pathName)] : []),
      ...tagged.map((tags) => jsonArrayContainsAny('lists.tags', tags)),
    ],
    ' and ',
  )
}

async function countLists(db: Queries, conditions: Sql, filtered: boolean): Promise<Total> {
  const most = filtered ? sql` limit ${maxFilteredTotal + 1}` : raw('')
  const rows = sql`select 1 from lists where ${conditions}${most}`
  const counted = (await db.get<{ n: number }>(sql`select count(*) as n from (${rows}) found`))?.n ?? 0
  return filtered ? filteredTotal(counted) : { total: counted }
}
