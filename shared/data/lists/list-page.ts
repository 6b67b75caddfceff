import type { IdSelection } from '#shared/domain/access/selections.ts'
import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { List, listFields } from '#shared/domain/list/fields.ts'
import { toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import type { RowSource } from '../pages/row-sources.ts'
import { mayWalk, readTablePage } from '../pages/table-page.ts'
import { selectedIds } from '../sql/selected-ids.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList, unindexed } from '../sql/statements.ts'
import { indexedListFilters, type ListOrder, listFilterConditions, listOrders, listTable } from './columns.ts'
import { listsTagged } from './list-tags.ts'

/** The lists of an account that a request selects and its principal may see. */
export type ListSet = {
  accountId: string
  visible: IdSelection
  /** Whether lists that are not activated are hidden. */
  activatedOnly: boolean
  filters: FiltersOf<typeof listFields>
}

export type ListPageRequest = PageRequest & { order: ListOrder }

/**
 * One page of lists. Indexes have them in the order of times and names, and find them by names and tags.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter; QUESTION_TOO_BROAD
 */
export function readListPage(db: Queries, set: ListSet, request: ListPageRequest): Promise<Page<List>> {
  const { filters } = set
  const account = accountOf(set)
  const filter = Object.keys(filters)[0]
  const isWalked =
    filter !== undefined && mayWalk(seesAllLists(set), request) && ordersWithIndex.includes(request.order)
  const lists = {
    table: 'lists',
    columns: listTable.selected,
    fromRow: listTable.fromRow,
    bytes: schemaBytes,
    conditions: listConditions(set),
    filters: listFilterConditions(filters),
    large: {
      account,
      sources: listSources(set),
      ...(isWalked && { walked: { from: sql`from lists where ${account}`, filter, wording } }),
    },
    order: listOrders[request.order],
  }
  return readTablePage(db, lists, request)
}

/** Whether no list of the account is hidden from the principal. */
export function seesAllLists({ visible, activatedOnly }: ListSet): boolean {
  return !activatedOnly && visible.rest && visible.except.length === 0
}

const ordersWithIndex: readonly ListOrder[] = ['createdAt', 'updatedAt', 'name', 'pathName']

const wording = { rows: 'lists', narrower: 'narrow the request by tagged, or by name or pathName with eq: or starts:' }

const schemaBytes = ({ schema }: Row) => Buffer.byteLength(toTextOrNull(schema) ?? '')

/** The condition that a list is of the account of a set. */
export function accountOf({ accountId }: ListSet): Sql {
  return sql`account_id = ${accountId}`
}

/** The other conditions of a set, except for its filters. */
export function listConditions({ visible, activatedOnly }: ListSet): Sql {
  return joinSql([...selectedIds(visible), raw(activatedOnly ? 'activated = 1' : '1 = 1')], ' and ')
}

/** For each condition of a set with an index: the source of all lists that meet it, possibly with others. */
export function listSources(set: ListSet): RowSource[] {
  const { accountId, visible, filters } = set
  return [
    ...(visible.rest ? [] : [[listsAmong(set, visible.except)]]),
    ...indexedListFilters(filters).map((range) => [sql`select id from lists where ${accountOf(set)} and ${range}`]),
    ...(filters.tagged ?? []).map((anyOf) => listsTagged(accountId, anyOf)),
  ]
}

/** A select of those ids that are lists of the account. */
export function listsAmong({ accountId }: ListSet, ids: readonly string[]): Sql {
  return sql`select id from lists where ${inList('id', ids)} and ${unindexed('account_id')} = ${accountId}`
}
