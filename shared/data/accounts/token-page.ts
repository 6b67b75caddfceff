import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { Page, PageRequest } from '../page.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { jsonArrayContainsAny } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'
import { readTablePage } from '../table-page.ts'
import { type TokenOrder, tokenOrders, tokenTable } from './token-columns.ts'
import { tokenColumns } from './tokens.ts'

/** Tokens of an account; filters that are absent match all. */
export type TokenSet = {
  accountId: string
  filters: { name?: TextFilter; description?: TextFilter; activated?: boolean; tagged?: string[][] }
}

export type TokenPageRequest = PageRequest & { order: TokenOrder }

/**
 * One page of API tokens.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was made with another order, direction or filter
 */
export function readTokenPage(db: Queries, set: TokenSet, request: TokenPageRequest): Promise<Page<ApiToken>> {
  const tokens = {
    ...{ table: 'tokens', columns: tokenColumns, fromRow: tokenTable.fromRow, bytes: longTextBytes },
    ...{ conditions: conditionsOf(set), isFiltered: Object.keys(set.filters).length > 0 },
    order: tokenOrders[request.order],
  }
  return readTablePage(db, tokens, request)
}

const longTextBytes = ({ permissions, description }: Row) =>
  Buffer.byteLength(toText(permissions)) + Buffer.byteLength(toText(description))

function conditionsOf({ accountId, filters: { name, description, activated, tagged = [] } }: TokenSet): Sql {
  return joinSql(
    [
      sql`account_id = ${accountId}`,
      ...(name ? [textFilterPredicate('name_key', name)] : []),
      ...(description ? [textFilterPredicate('description_key', description)] : []),
      ...(activated === undefined ? [] : [sql`activated = ${Number(activated)}`]),
      ...tagged.map((tags) => jsonArrayContainsAny('tokens.tags', tags)),
    ],
    ' and ',
  )
}
