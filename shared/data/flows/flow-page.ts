import type { IdSelection } from '#shared/domain/access/selections.ts'
import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { FlowDefinition, FlowSettings, flowFields } from '#shared/domain/flow/fields.ts'
import { toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { selectedIds } from '../sql/selected-ids.ts'
import { joinSql, sql } from '../sql/sql.ts'
import {
  type FlowOrder,
  flowFilterConditions,
  flowOrders,
  flowSettingsFromRow,
  flowTable,
  selectedFlow,
  selectedFlowSettings,
} from './columns.ts'

/** The flows of an account that a request selects and its principal may see. */
export type FlowSet = { accountId: string; visible: IdSelection; filters: FiltersOf<typeof flowFields> }

type FlowPageRequest = PageRequest & { order: FlowOrder }

/**
 * One page of flows, without their documents and tests.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter
 */
export function readFlowPage(db: Queries, set: FlowSet, request: FlowPageRequest): Promise<Page<FlowSettings>> {
  const read = { columns: selectedFlowSettings, fromRow: flowSettingsFromRow, bytes: settingsBytes }
  return readTablePage(db, { ...flowsOf(set, request), ...read }, request)
}

/** The same with documents and tests, of which fewer fit one page. */
export function readFlowDocumentPage(
  db: Queries,
  set: FlowSet,
  request: FlowPageRequest,
): Promise<Page<FlowDefinition>> {
  const bytes = (row: Row) => settingsBytes(row) + textBytes([toText(row.document), toTextOrNull(row.tests) ?? ''])
  const read = { columns: selectedFlow, fromRow: flowTable.fromRow, bytes }
  return readTablePage(db, { ...flowsOf(set, request), ...read }, request)
}

function flowsOf({ accountId, visible, filters }: FlowSet, { order }: FlowPageRequest) {
  return {
    table: 'flows',
    conditions: joinSql([sql`account_id = ${accountId}`, ...selectedIds(visible)], ' and '),
    filters: flowFilterConditions(filters),
    order: flowOrders[order],
  }
}

const settingsBytes = ({ entry, description }: Row) => textBytes([toText(entry), toText(description)])

const textBytes = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
