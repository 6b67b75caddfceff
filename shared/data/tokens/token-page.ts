import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { ApiToken, tokenFields } from '#shared/domain/token/fields.ts'
import { toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { sql } from '../sql/sql.ts'
import { selectedOfTokens, type TokenOrder, tokenFilterConditions, tokenFromRow, tokenOrders } from './columns.ts'

/** Tokens of an account that a request asks for. */
export type TokenSet = { accountId: string; filters: FiltersOf<typeof tokenFields> }

type TokenPageRequest = PageRequest & { order: TokenOrder }

/**
 * One page of API tokens.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter
 */
export function readTokenPage(
  db: Queries,
  { accountId, filters }: TokenSet,
  request: TokenPageRequest,
): Promise<Page<ApiToken>> {
  const tokens = {
    table: 'tokens',
    columns: selectedOfTokens,
    fromRow: tokenFromRow,
    bytes: longTextBytes,
    conditions: sql`account_id = ${accountId}`,
    filters: tokenFilterConditions(filters),
    order: tokenOrders[request.order],
  }
  return readTablePage(db, tokens, request)
}

const longTextBytes = ({ permissions, conditional_rules: conditional, description }: Row) =>
  [toText(permissions), toTextOrNull(conditional) ?? '', toText(description)].reduce(
    (bytes, text) => bytes + Buffer.byteLength(text),
    0,
  )
