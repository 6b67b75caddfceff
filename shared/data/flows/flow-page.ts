import type { IdSelection } from '#shared/domain/access/selections.ts'
import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { FlowDefinition, flowFields } from '#shared/domain/flow/fields.ts'
import { toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { selectedIds } from '../sql/selected-ids.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { type FlowOrder, flowFilterConditions, flowOrders, flowTable, selectedFlow } from './columns.ts'

/** Flows of an account that a request asks for and its principal may see. */
export type FlowSet = { accountId: string; visible: IdSelection; filters: FiltersOf<typeof flowFields> }

/**
 * One page of flows.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export function readFlowPage(
  db: Queries,
  { accountId, visible, filters }: FlowSet,
  request: PageRequest & { order: FlowOrder },
): Promise<Page<FlowDefinition>> {
  const flows = {
    table: 'flows',
    columns: selectedFlow,
    fromRow: flowTable.fromRow,
    bytes: longTextBytes,
    conditions: joinSql([sql`account_id = ${accountId}`, ...selectedIds(visible)], ' and '),
    filters: flowFilterConditions(filters),
    order: flowOrders[request.order],
  }
  return readTablePage(db, flows, request)
}

const longTextBytes = ({ document, tests, entry, description }: Row) =>
  [toText(document), toTextOrNull(tests) ?? '', toText(entry), toText(description)]
    .map((text) => Buffer.byteLength(text))
    .reduce((sum, bytes) => sum + bytes, 0)
