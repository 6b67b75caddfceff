import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import { toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { sql } from '../sql/sql.ts'
import { type TokenOrder, tokenFilterConditions, tokenOrders, tokenTable } from './columns.ts'

/** Tokens of an account that a request asks for. */
export type TokenSet = { accountId: string; filters: FiltersOf<typeof tokenFields> }

type TokenPageRequest = PageRequest & { order: TokenOrder }

/**
 * One page of API tokens.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export function readTokenPage(
  db: Queries,
  { accountId, filters }: TokenSet,
  request: TokenPageRequest,
): Promise<Page<ApiToken>> {
  const tokens = {
    table: 'tokens',
    columns: tokenTable.selected,
    fromRow: tokenTable.fromRow,
    bytes: longTextBytes,
    conditions: sql`account_id = ${accountId}`,
    filters: tokenFilterConditions(filters),
    order: tokenOrders[request.order],
  }
  return readTablePage(db, tokens, request)
}

const longTextBytes = ({ permissions, description }: Row) =>
  Buffer.byteLength(toText(permissions)) + Buffer.byteLength(toText(description))
