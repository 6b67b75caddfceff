import type { IdSelection } from '#shared/domain/access/permissions.ts'
import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { List, listFields } from '#shared/domain/list/fields.ts'
import { toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { type ListOrder, listFilterConditions, listOrders, listTable } from './columns.ts'

/** Lists of an account that a request asks for and its principal may see. */
export type ListSet = {
  accountId: string
  visible: IdSelection
  /** Whether lists that are not activated are hidden. */
  activatedOnly: boolean
  filters: FiltersOf<typeof listFields>
}

export type ListPageRequest = PageRequest & { order: ListOrder }

/**
 * One page of lists. Indexes have them in the order of times and names.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export function readListPage(db: Queries, set: ListSet, request: ListPageRequest): Promise<Page<List>> {
  const lists = {
    table: 'lists',
    columns: listTable.selected,
    fromRow: listTable.fromRow,
    bytes: schemaBytes,
    conditions: listConditions(set),
    filters: listFilterConditions(set.filters),
    order: listOrders[request.order],
  }
  return readTablePage(db, lists, request)
}

const schemaBytes = ({ schema }: Row) => Buffer.byteLength(toTextOrNull(schema) ?? '')

/** The conditions that make up a set, but for its filters. */
export function listConditions({ accountId, visible, activatedOnly }: ListSet): Sql {
  const isNamed = visible.except.length > 0 || !visible.rest
  return joinSql(
    [
      sql`account_id = ${accountId}`,
      ...(isNamed ? [visible.rest ? sql`not (${inList('id', visible.except)})` : inList('id', visible.except)] : []),
      ...(activatedOnly ? [raw('activated = 1')] : []),
    ],
    ' and ',
  )
}
