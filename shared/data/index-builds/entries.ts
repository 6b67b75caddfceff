import { type IndexValue, indexValues } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import type { FieldError } from '#shared/errors.ts'
import { toBoolean, toNumber, toText } from '../columns.ts'
import type { Queries, Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate, inList } from '../sql/statements.ts'

/** The entry of an item in an index at a revision, or an error because its value cannot be an alias. */
export type BuildEntry = {
  item: Pick<Item, 'id' | 'revision' | 'activated' | 'readonly' | 'createdAt'>
  value: IndexValue | null
  error: FieldError | null
}

/** The current entries of these items in the index. */
export async function readEntries(db: Queries, index: ListIndex, ids: readonly string[]): Promise<BuildEntry[]> {
  const rows = await db.all(
    sql`select id, revision, activated, readonly, created_at, data from items where ${inList('id', ids)}`,
  )
  return rows.map((row) => {
    const { values, errors } = indexValues([index], JSON.parse(toText(row.data)))
    const flags = { activated: toBoolean(row.activated), readonly: toBoolean(row.readonly) }
    const item = {
      id: toText(row.id),
      revision: toNumber(row.revision),
      ...flags,
      createdAt: toNumber(row.created_at),
    }
    return { item, value: values[0] ?? null, error: errors[0] ?? null }
  })
}

/** The entries whose items have not changed since; the transaction locks these items. */
export async function lockUnchanged<Entry extends { item: Pick<Item, 'id' | 'revision'> }>(
  tx: Transaction,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const ids = entries.map(({ item }) => item.id)
  const rows = await tx.all<{ id: string; revision: number }>(
    sql`select id, revision from items where ${inList('id', ids)} order by id ${forUpdate}`,
  )
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
  return entries.filter(({ item }) => revisions.get(item.id) === item.revision)
}
