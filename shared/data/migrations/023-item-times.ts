import { isId, timeOfId } from '#shared/domain/id.ts'
import { toNumber, toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList, updateFrom, valuesTable } from '../sql/statements.ts'
import type { Batch, Moved } from './migration.ts'

/**
 * Gives items the time of their id as that of their creation, from which it differed by a millisecond now and then: what is in the
 * order of ids is in order of creation. Code of the version before goes on giving items such times, whose place in a page differs by
 * that millisecond.
 */
export async function alignItemTimes(tx: Transaction, { after, limit }: Batch): Promise<Moved> {
  const rows = await tx.all(sql`select id, created_at from items where id > ${after ?? ''} order by id limit ${limit}`)
  const last = rows.at(-1)
  if (!last) return { rows: 0, after: null }
  const items = rows.map(({ id, created_at }) => ({ id: toText(id), createdAt: toNumber(created_at) }))
  const others = items.filter(({ id, createdAt }) => isId(id) && createdAt !== timeOfId(id)).map(({ id }) => id)
  if (others.length > 0) await setTimes(tx, others)
  return { rows: rows.length, after: toText(last.id) }
}

async function setTimes(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.run(
    updateFrom({
      table: 'items',
      set: { created_at: sql`input.at` },
      from: valuesTable(
        { id: 'text', at: 'int' },
        ids.map((id) => [id, timeOfId(id)]),
      ),
      where: sql`items.id = input.id`,
    }),
  )
  for (const table of ['index_values', 'item_tags'] as const) {
    await tx.run(sql`${update[table]} where ${inList('item_id', ids)}`)
  }
}

const update = {
  index_values: sql`update index_values set created_at =
    (select items.created_at from items where items.id = index_values.item_id)`,
  item_tags: sql`update item_tags set created_at =
    (select items.created_at from items where items.id = item_tags.item_id)`,
}
