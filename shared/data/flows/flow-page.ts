import type { IdSelection } from '#shared/domain/access/permissions.ts'
import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { FlowDefinition, flowFields } from '#shared/domain/flow/fields.ts'
import { toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
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
    conditions: sql`account_id = ${accountId} and ${isVisible(visible)}`,
    filters: flowFilterConditions(filters),
    order: flowOrders[request.order],
  }
  return readTablePage(db, flows, request)
}

function isVisible({ rest, except }: IdSelection): Sql {
  if (rest && except.length === 0) return raw('1 = 1')
  return rest ? sql`not (${inList('id', except)})` : inList('id', except)
}

const longTextBytes = ({ document, tests, entry, description }: Row) =>
  [toText(document), toTextOrNull(tests) ?? '', toText(entry), toText(description)]
    .map((text) => Buffer.byteLength(text))
    .reduce((sum, bytes) => sum + bytes, 0)
