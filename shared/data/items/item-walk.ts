import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import { after } from '../pages/cursor.ts'
import { raw, sql } from '../sql/sql.ts'

// Walks through the items of a list in the order of an existing index: four ranges, one for each combination of two flags, each in the
// order of creation.

/** The item after which a walk continues. */
export type ItemPosition = { range: number; lastCreatedAt: number; lastId: string }

/** The stored columns of a walk at its start. */
export const fromFirstItem = { item_range: () => 0, last_created_at: () => 0, last_id: () => '' } as const

/** The stored position of a walk. */
export function positionIn(row: Row): ItemPosition {
  return {
    range: toNumber(row.item_range),
    lastCreatedAt: toNumber(row.last_created_at),
    lastId: toText(row.last_id),
  }
}

/** The maximum size of one step. */
export type StepSize = {
  items: number
  /** Bytes of their data; the first item is always taken. */
  bytes: number
}

/** The flags `activated` and `readonly` of the items of each range. */
export const flagRanges = [
  [1, 0],
  [1, 1],
  [0, 0],
  [0, 1],
] as const

/** The ids of the next items, and the position after them; null: there are no more. @param from null: from the beginning */
export async function nextItems(
  db: Queries,
  { listId, from }: { listId: string; from: ItemPosition | null },
  size: StepSize,
): Promise<{ ids: string[]; position: ItemPosition } | null> {
  for (let range = from?.range ?? 0; range < flagRanges.length; range++) {
    const behind = range === from?.range ? from : null
    const rows = await itemsOfRange(db, { listId, range, behind, limit: size.items })
    const taken = rows.slice(0, countWithin(rows, size.bytes))
    const last = taken.at(-1)
    if (last) {
      const position = { range, lastCreatedAt: last.createdAt, lastId: last.id }
      return { ids: taken.map(({ id }) => id), position }
    }
  }
  return null
}

type ItemKey = { id: string; createdAt: number; size: number }
type Range = { listId: string; range: number; behind: ItemPosition | null; limit: number }

async function itemsOfRange(db: Queries, { listId, range, behind, limit }: Range): Promise<ItemKey[]> {
  const [activated, readonly] = flagRanges[range] ?? flagRanges[0]
  const order = { key: 'created_at', id: 'id', direction: 'asc' } as const
  const bound = behind ? sql` and ${after(order, { key: behind.lastCreatedAt, id: behind.lastId })}` : raw('')
  const rows = await db.all(sql`select id, created_at, size from items
    where list_id = ${listId} and activated = ${activated} and readonly = ${readonly}${bound}
    order by created_at, id limit ${limit}`)
  return rows.map((row) => ({
    id: toText(row.id),
    createdAt: toNumber(row.created_at),
    size: toNumber(row.size),
  }))
}

/** The number of items whose data together fits a number of bytes; at least one. */
function countWithin(items: readonly ItemKey[], bytes: number): number {
  let left = bytes
  const end = items.findIndex(({ size }) => {
    left -= size
    return left < 0
  })
  return end < 0 ? items.length : Math.max(end, 1)
}
