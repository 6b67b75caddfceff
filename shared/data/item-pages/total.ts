import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { ListState } from '../lists/lists.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { idTable } from '../sql/statements.ts'
import { type AccessPath, chooseAccessPath, count, countUpTo, flagIs, matches } from './access-path.ts'
import { existsIn } from './conditions/condition.ts'
import type { ItemSet } from './item-set.ts'

/** Whether the set has no items. */
export async function isEmpty(db: Queries, set: ItemSet): Promise<boolean> {
  return (await countUpTo(db, matches(await chooseAccessPath(db, set)), 0)) === 0
}

/** The total of a list's visible items, without filters. */
export async function visibleTotal(db: Queries, set: ItemSet, counters: Counters): Promise<number> {
  return unfilteredTotal(db, await chooseAccessPath(db, set), counters)
}

type Counters = Pick<ListState, 'items' | 'deactivated'>

/**
 * The number of a set's items, without filters (contract 1.3). It comes from the list's counters, minus the items that rules deny
 * by name. Where rules allow only some items, those are counted; an identity's own items are counted in the index of owners.
 */
export async function unfilteredTotal(db: Queries, accessPath: AccessPath, counters: Counters): Promise<number> {
  const { visible, activated } = accessPath.set
  const counted = activated === null ? counters.items : counters.items - counters.deactivated
  if (visible.kind === 'all') return counted
  if (visible.kind !== 'byId' || !visible.byId.regardlessOfOwner.rest) return count(db, matches(accessPath))
  return counted - (await count(db, [hiddenItems(visible.byId.regardlessOfOwner.except, accessPath)]))
}

/** The named items of the list that the set does not contain. */
function hiddenItems(ids: readonly string[], { set: { listId, activated }, others }: AccessPath): Sql {
  const checks = others.map((condition) => condition.predicate('i.id'))
  const passes = sql`i.list_id = ${listId}${flagIs('activated', activated)} and not (${joinSql(checks, ' and ')})`
  return sql`select input.id from ${idTable(ids)} where ${existsIn('items i', 'i.id', 'input.id', passes)}`
}
