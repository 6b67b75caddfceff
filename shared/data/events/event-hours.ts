import { eventTypes } from '#shared/domain/event-types.ts'
import { changedLists, type ListChange } from '#shared/domain/hours.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { countHours } from '../pages/hours.ts'
import { sql } from '../sql/sql.ts'
import { inList, unionAllOrdered } from '../sql/statements.ts'

/** The number of changes of items in an account by hour. @param hours their starts in epoch milliseconds */
export function countChanges(db: Queries, accountId: string, hours: readonly number[]): Promise<number[]> {
  return countHours(
    db,
    hours,
    (from, before) => sql`from events where account_id = ${accountId} and ${inList('type', eventTypes.item)}
      and created_at >= ${from} and created_at < ${before}`,
  )
}

/** Maximum events searched for the lists that changed last, because no index has events by list. */
const mostEvents = 500

/** The lists of an account that changed last, including changes of their items and indexes, as far as the newest events show. */
export async function readListChanges(db: Queries, accountId: string, most: number): Promise<ListChange[]> {
  const types = [...eventTypes.list, ...eventTypes.item, ...eventTypes.index]
  const ranges = types.map(
    (type) => sql`select list_id, type, created_at, id from events where account_id = ${accountId} and type = ${type}`,
  )
  const newest = { order: 'created_at desc, id desc', limit: mostEvents, offset: 0 }
  const rows = await db.all(unionAllOrdered(ranges, newest))
  const events = rows.map(({ list_id, type, created_at }) => ({
    listId: toText(list_id),
    type: toText(type),
    createdAt: toNumber(created_at),
  }))
  return changedLists(events, most)
}
