import type { IdentityRule } from '#shared/domain/access/selections.ts'
import type { FiltersOf } from '#shared/domain/fields/filters.ts'
import type { identityFields } from '#shared/domain/identity/fields.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { mayWalk, readTablePage } from '../pages/table-page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { type IdentityOrder, identityFilterConditions, identityOrders, indexedIdentityFilters } from './columns.ts'
import { type GroupedIdentity, groupedIdentityColumns, groupedIdentityOf, identitiesWithGroups } from './identities.ts'

/** The identities of an account that a request selects and its principal may see. */
export type IdentitySet = {
  accountId: string
  /** Null: all are visible. */
  visible: readonly IdentityRule[] | null
  filters: FiltersOf<typeof identityFields>
}

export type IdentityPageRequest = PageRequest & { order: IdentityOrder }

/**
 * One page of identities, read in the order of an index. With filters, it sorts the rows of the most selective filter, if that has an index
 * and finds few; otherwise it examines at most 20,000. So does a cursor page if rules hide some identities. A cursor page may then end
 * early.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order, direction or filter; QUESTION_TOO_BROAD
 */
export function readIdentityPage(
  db: Queries,
  { accountId, visible, filters }: IdentitySet,
  request: IdentityPageRequest,
): Promise<Page<GroupedIdentity>> {
  const account = sql`i.account_id = ${accountId}`
  const [filter] = Object.keys(filters)
  // Rules may hide most identities, so a page may have to walk even without filters.
  const isWalked = (filter !== undefined || visible !== null) && mayWalk(visible === null, request)
  const identities = {
    table: identitiesWithGroups,
    columns: groupedIdentityColumns,
    id: 'i.id',
    fromRow: groupedIdentityOf,
    conditions: visible ? allowedBy(visible) : raw('1 = 1'),
    filters: identityFilterConditions(filters),
    large: {
      account,
      sources: indexedIdentityFilters(filters).map((range) => [
        sql`select i.id from identities i where ${account} and ${range}`,
      ]),
      ...(isWalked && { walked: { from: sql`from identities i where ${account}`, filter: filter ?? 'page', wording } }),
    },
    order: identityOrders[request.order],
  }
  return readTablePage(db, identities, request)
}

const wording = { rows: 'identities', narrower: 'narrow the request by name, displayName or group with eq: or starts:' }

/** The condition that the first of the rules that matches an identity allows it; the ungrouped space has no group's name. */
function allowedBy(rules: readonly IdentityRule[]): Sql {
  if (!rules.some(({ allow }) => allow)) return raw('1 = 0')
  const cases = rules.map(({ allow, ids, groups }) => {
    const selected = [...(ids ? [inList('i.id', ids)] : []), ...(groups ? [inList('g.name', groups)] : [])]
    const matches = selected.length === 0 ? raw('1 = 1') : joinSql(selected, ' and ')
    return sql`when ${matches} then ${raw(allow ? '1' : '0')}`
  })
  return sql`(case ${joinSql(cases, ' ')} else 0 end) = 1`
}
