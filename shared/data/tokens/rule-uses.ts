import { type Dependent, type Use, useKey } from '#shared/domain/use/use.ts'
import type { Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { selectedOfTokens, tokenFromRow } from './columns.ts'

/** How many tokens are read: the conditions of one may have 40,000 characters. */
const mostTokens = 100

/**
 * The tokens whose rules have conditions on the index of one of these uses, by `useKey`. If no use is of the kind `rule`, nothing is
 * read.
 * @returns `isCut`: the maximum was read, and there may be more dependents
 */
export async function findDependentTokens(
  db: Queries,
  { accountId, uses }: { accountId: string; uses: readonly Use[] },
  most = mostTokens,
): Promise<{ byUse: Map<string, Dependent[]>; isCut: boolean }> {
  const ofRules = uses.filter(({ kind }) => kind === 'rule')
  if (ofRules.length === 0) return { byUse: new Map(), isCut: false }
  const rows = await db.all(sql`select ${selectedOfTokens} from tokens
    where account_id = ${accountId} and conditional_rules is not null order by id limit ${most + 1}`)
  const byIndex = new Map<string, Dependent[]>()
  for (const { id, name, ruleIndexes } of rows.slice(0, most).map(tokenFromRow)) {
    for (const index of ruleIndexes)
      byIndex.set(index.id, [...(byIndex.get(index.id) ?? []), { kind: 'token', id, name }])
  }
  const byUse = new Map(ofRules.map((use) => [useKey(use), byIndex.get(use.name) ?? []]))
  return { byUse, isCut: rows.length > most }
}
