import type { List } from '#shared/domain/list/fields.ts'
import type { Transaction } from '../database.ts'
import type { RowSource } from '../pages/row-sources.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, inList } from '../sql/statements.ts'

// The index of the tags of lists, with a row for each tag. `indexed_tags` of a list has the tags that are in the index: services
// of the previous version change tags without it, and then the list itself is read (`tags_unindexed`, which the database
// computes).

type TaggedList = Pick<List, 'id' | 'accountId' | 'tags'>

/** The rows of the index for lists. */
export function listTagRows(lists: readonly TaggedList[]) {
  return tagRows(lists.flatMap((list) => [...new Set(list.tags)].map((tag) => ({ list, tag }))))
}

const tagRows = rowMapper<{ list: TaggedList; tag: string }>('list_tags', {
  account_id: ({ list }) => list.accountId,
  tag: ({ tag }) => tag,
  list_id: ({ list }) => list.id,
})

/** Writes the tags of a list that the transaction has written into the index. */
export async function indexTags(tx: Transaction, list: TaggedList): Promise<void> {
  await removeTags(tx, [list.id])
  await insertRows(tx, listTagRows([list]))
}

export async function removeTags(tx: Transaction, listIds: readonly string[]): Promise<void> {
  await tx.run(deleteInList('list_tags', 'list_id', listIds))
}

/** Selects of all lists of an account that may have one of these tags. */
export function listsTagged(accountId: string, anyOf: readonly string[]): RowSource {
  return [
    sql`select list_id as id from list_tags where account_id = ${accountId} and ${inList('tag', anyOf)}`,
    sql`select id from lists where account_id = ${accountId} and tags_unindexed = 1`,
  ]
}
