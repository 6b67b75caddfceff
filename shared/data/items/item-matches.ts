import type { Queries } from './database.ts'
import { listRanges, rowsAtAll } from './item-ranges.ts'
import { type Condition, conditionsOf, type ItemSet } from './item-set.ts'
import { joinSql, raw, type SqlText, sql } from './sql-text.ts'

/** How the items of a set are come by: through one condition that leaves little of the list, or through the list itself. */
export type Approach = {
  through: Condition | null
  /** The conditions that are left to be looked at. */
  others: readonly Condition[]
}

/** Counts stop there (contract 1.3), and no more rows than this are ever sorted. */
export const countedExactly = 10_000

/** The condition that fewest items meet; without any that items are found by, the whole list. */
export async function approach(db: Queries, set: ItemSet): Promise<Approach> {
  const conditions = conditionsOf(set)
  const through = await scarcest(
    db,
    conditions.filter(({ found }) => found !== null),
  )
  return { through, others: conditions.filter((condition) => condition !== through) }
}

async function scarcest(db: Queries, candidates: readonly Condition[]): Promise<Condition | null> {
  const [first = null, ...others] = candidates
  if (others.length === 0) return first
  const counts = await Promise.all(candidates.map(({ found }) => countUpTo(db, found ?? nothing, countedExactly)))
  return candidates[counts.indexOf(Math.min(...counts))] ?? null
}

const nothing = raw('select 1 where 1 = 0')

/** `id` of every item of the set, once. */
export function matches(set: ItemSet, { through, others }: Approach): SqlText {
  if (!through?.found) return rowsAtAll(set, { ranges: listRanges(set), conditions: others })
  if (through.ranges) return rowsAtAll(set, { ranges: through.ranges, conditions: others })
  const checks = others.map((condition) => sql` and ${condition.holds(raw('i.id'))}`)
  const flags = [flagIs('activated', set.activated), flagIs('readonly', set.readonly)]
  return sql`select i.id from (select distinct id from (${through.found})) f cross join items i on i.id = f.id
    where i.list_id = ${set.listId}${joinSql([...flags, ...checks], '')}`
}

export function flagIs(column: string, flag: boolean | null): SqlText {
  return flag === null ? raw('') : sql` and i.${raw(column)} = ${Number(flag)}`
}

/** Whether there is nothing in the set. */
export async function isEmpty(db: Queries, set: ItemSet): Promise<boolean> {
  return (await countUpTo(db, matches(set, await approach(db, set)), 0)) === 0
}

/** Rows of a query, at most one more than `most`: then there are more. */
export async function countUpTo(db: Queries, rows: SqlText, most: number): Promise<number> {
  return count(db, sql`select 1 from (${rows}) limit ${most + 1}`)
}

/** Rows of a query. */
export async function count(db: Queries, rows: SqlText): Promise<number> {
  const { text, bindings } = sql`select count(*) as n from (${rows})`
  return (await db.get<{ n: number }>(text, bindings))?.n ?? 0
}
