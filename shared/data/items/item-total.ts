import type { Queries } from '../database.ts'
import type { ListState } from '../lists/lists.ts'
import type { Sql } from '../sql/dialect.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { idTable } from '../sql/statements.ts'
import { type AccessPath, chooseAccessPath, count, countedExactly, countUpTo, flagIs, matches } from './item-matches.ts'
import { existsIn, type ItemSet } from './item-set.ts'

/** How many items there are; `isAtLeast`: there are more, and they were not counted to their end. */
export type ItemTotal = { total: number; isAtLeast: boolean }

/**
 * The total of a set (contract 1.3). What the caller may see of a list without filters is told by the list's counters,
 * less the items that rules take away by name; where rules show only some, those are counted, an identity's own by the
 * index of owners. A filtered total is counted up to 10,000.
 */
export async function itemTotal(
  db: Queries,
  { set, filtered, chosen, list }: { set: ItemSet; filtered: boolean; chosen: AccessPath; list: ListState },
): Promise<ItemTotal> {
  if (filtered) {
    const counted = await countUpTo(db, matches(set, chosen), countedExactly)
    return { total: Math.min(counted, countedExactly), isAtLeast: counted > countedExactly }
  }
  return { total: await seenTotal(db, { set, chosen, counters: list }), isAtLeast: false }
}

/** The total of everything that is seen of a list. */
export async function visibleTotal(db: Queries, set: ItemSet, counters: Counters): Promise<number> {
  return seenTotal(db, { set, chosen: await chooseAccessPath(db, set), counters })
}

type Counters = Pick<ListState, 'items' | 'deactivated'>

async function seenTotal(
  db: Queries,
  { set, chosen, counters }: { set: ItemSet; chosen: AccessPath; counters: Counters },
): Promise<number> {
  const { visible: seen, activated } = set
  const counted = activated === null ? counters.items : counters.items - counters.deactivated
  if (seen.kind === 'all') return counted
  if (seen.kind === 'own' || !seen.byId.regardlessOfOwner.rest) return count(db, matches(set, chosen))
  return counted - (await count(db, [hiddenAmong(seen.byId.regardlessOfOwner.except, set, chosen)]))
}

/** Those of the named items of the list that the set lacks. */
function hiddenAmong(ids: readonly string[], { listId, activated }: ItemSet, { others }: AccessPath): Sql {
  const checks = others.map((condition) => condition.predicate('i.id'))
  const passes = sql`i.list_id = ${listId}${flagIs('activated', activated)} and not (${joinSql(checks, ' and ')})`
  return sql`select given.id from ${idTable(ids)} where ${existsIn('items i', 'i.id', 'given.id', passes)}`
}
