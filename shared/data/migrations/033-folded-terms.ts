import { toNumberOrNull, toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { endTerms } from '../lists/list-terms.ts'
import { lockRows } from '../sql/lock-rows.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { beginTermBuilds } from './025-item-terms.ts'
import type { Batch, Moved } from './migration.ts'

/**
 * Words are folded in another way from here on (shared/domain/search/folding.ts): those that lists have are purged, and are built
 * again under another id. The next version of a list's settings tells whoever has them in memory.
 */
export async function foldTerms(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const lists = await tx.all(sql`select id, terms_id from lists where id > ${after ?? ''} order by id limit ${limit}`)
  const searched = lists.filter(({ terms_id }) => terms_id !== null)
  const ids = searched.map(({ id }) => toText(id))
  if (ids.length > 0) {
    await lockRows(tx, 'lists', ids)
    await endTerms(
      tx,
      searched.map(({ terms_id }) => toNumberOrNull(terms_id)),
    )
    await tx.run(sql`update lists set config_version = config_version + 1 where ${inList('id', ids)}`)
  }
  return beginTermBuilds(tx, { after, limit })
}
