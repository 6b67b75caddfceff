import type { Knex } from 'knex'
import { toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialect.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { lockRows } from '../sql/lock-rows.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, inList } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'
import { createTables, extendTables } from './tables.ts'

/**
 * Lists are found by their tags, and by the scope that manages them, through an index. `indexed_tags` are those of its tags that
 * `list_tags` has. Older code does not write it: the database computes which lists it has left with others.
 */
export function up(build: Knex, types: ColumnTypes): Knex.Sql[] {
  return [
    ...createTables(build, types, {
      list_tags(t) {
        t.text('list_id', 36).notNullable()
        t.text('tag', 50).notNullable()
        t.text('account_id', 36).notNullable()
        t.primary(['list_id', 'tag'])
        t.byPrimaryKey()
        t.index(['account_id', 'tag', 'list_id'])
      },
    }),
    ...extendTables(build, types, { lists: (t) => t.longText('indexed_tags') }),
    ...extendTables(build, types, {
      lists(t) {
        t.computedFlag('tags_unindexed', 'case when indexed_tags = tags then 0 else 1 end')
        t.index(['account_id', 'tags_unindexed'])
        t.index(['account_id', 'scope', 'path_key'])
      },
    }),
  ]
}

/** Fills the index. Tags that cannot be read stay out of it, and their list is looked at itself. */
export async function fillListTags(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const found = await tx.all(sql`select id from lists where id > ${after ?? ''} order by id limit ${limit}`)
  const ids = found.map(({ id }) => toText(id))
  const last = ids.at(-1)
  if (last === undefined) return { rows: 0, after: null }
  await lockRows(tx, 'lists', ids)
  const lists = await tx.all(sql`select id, account_id, tags from lists where ${inList('id', ids)}`)
  const read = lists.flatMap(({ id, account_id, tags }) => {
    const found = readTags(tags)
    return found ? [{ listId: toText(id), accountId: toText(account_id), tags: found }] : []
  })
  const rows = read.flatMap(({ tags, ...list }) => [...new Set(tags)].map((tag) => ({ ...list, tag })))
  await tx.run(deleteInList('list_tags', 'list_id', ids))
  await insertRows(tx, tagRows(rows))
  const indexed = read.map(({ listId }) => listId)
  await tx.run(sql`update lists set indexed_tags = tags where ${inList('id', indexed)}`)
  return { rows: ids.length, after: last }
}

function readTags(stored: unknown): string[] | null {
  try {
    const tags: unknown = JSON.parse(toText(stored))
    return Array.isArray(tags) && tags.every((tag) => typeof tag === 'string') ? tags : null
  } catch {
    return null
  }
}

const tagRows = rowMapper<{ listId: string; tag: string; accountId: string }>('list_tags', {
  list_id: ({ listId }) => listId,
  tag: ({ tag }) => tag,
  account_id: ({ accountId }) => accountId,
})
