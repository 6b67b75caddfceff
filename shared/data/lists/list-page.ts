import type { List } from '#shared/domain/list/fields.ts'
import type { IdSelection } from '#shared/domain/permissions.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import { toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { Page, PageRequest } from '../page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, jsonArrayContainsAny } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'
import { readTablePage } from '../table-page.ts'
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
 * One page of lists. Indexes have them in the order of times and names.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export function readListPage(db: Queries, set: ListSet, request: ListPageRequest): Promise<Page<List>> {
  const lists = {
    ...{ table: 'lists', columns: 'lists.*', fromRow: listTable.fromRow, bytes: schemaBytes },
    ...{ conditions: conditionsOf(set), isFiltered: Object.keys(set.filters).length > 0 },
    order: listOrders[request.order],
  }
  return readTablePage(db, lists, request)
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
