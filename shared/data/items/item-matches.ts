import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitUnion } from '../sql/statements.ts'
import { rangesOfList, rowsInAnyOrder } from './item-ranges.ts'
import { type Condition, conditionsOf, existsIn, type ItemSet } from './item-set.ts'

// How a set's items are found. One condition drives: its candidates are read first, from its own index, and the other
// conditions are checked for each of them. Of several conditions the one with the fewest candidates drives, which are counted
// up to 10,000; a part of a text is looked for among all values, so it drives only where no other condition can. Without such
// a condition all items of the list are read. The choice is not left to the database, which misestimates how many items one
// tag, owner or value has.
// Invariant: on every path each item of the set is selected exactly once.

/** How the items of a set are found: through one driving condition; null: through the list itself. */
export type AccessPath = {
  driving: Condition | null
  /** The conditions still to check. */
  others: readonly Condition[]
}

/** Candidates are counted up to this, and no more items are ever sorted (contract 1.3). */
export const maxExactCount = 10_000

/** Chooses the condition with the fewest candidates to drive; without any that has candidates, the whole list. */
export async function chooseAccessPath(db: Queries, set: ItemSet): Promise<AccessPath> {
  const conditions = conditionsOf(set)
  const found = conditions.filter(({ candidates, indexRanges }) => candidates !== null || indexRanges !== null)
  const sought = found.filter(({ scans }) => !scans)
  const driving = await mostSelective(db, set, sought.length > 0 ? sought : found)
  return { driving, others: conditions.filter((condition) => condition !== driving) }
}

async function mostSelective(db: Queries, set: ItemSet, conditions: readonly Condition[]): Promise<Condition | null> {
  const [first = null, ...others] = conditions
  if (others.length === 0) return first
  const counts = await Promise.all(
    conditions.map((condition) => countUpTo(db, candidatesOf(set, condition), maxExactCount)),
  )
  return conditions[counts.indexOf(Math.min(...counts))] ?? null
}

/** Selects of the `id` of the items that meet one condition, each once. */
export function candidatesOf(set: ItemSet, { candidates: found, indexRanges: ranges }: Condition): readonly Sql[] {
  if (found) return [found]
  return ranges ? rowsInAnyOrder(set, { ranges, conditions: [] }) : []
}

/** Selects of `id`, and the condition on such an id, `f.id`, that still has to hold; null: none. */
export type Candidates = { ids: readonly Sql[]; predicate: Sql | null }

/** Candidates that contain every item of the set exactly once. */
export function candidates(set: ItemSet, { driving, others }: AccessPath): Candidates {
  if (driving?.indexRanges)
    return { ids: rowsInAnyOrder(set, { ranges: driving.indexRanges, conditions: others }), predicate: null }
  if (!driving?.candidates)
    return { ids: rowsInAnyOrder(set, { ranges: rangesOfList(set), conditions: others }), predicate: null }
  const checks = others.map((condition) => sql` and ${condition.predicate('i.id')}`)
  const flags = [flagIs('activated', set.activated), flagIs('readonly', set.readonly)]
  const passes = sql`i.list_id = ${set.listId}${joinSql([...flags, ...checks], '')}`
  return { ids: [driving.candidates], predicate: existsIn('items i', 'i.id', 'f.id', passes) }
}

/** Selects of the `id` of every item of the set, each once. */
export function matches(set: ItemSet, accessPath: AccessPath): readonly Sql[] {
  const { ids, predicate } = candidates(set, accessPath)
  return predicate ? [sql`select f.id from (${joinSql(ids, ' union all ')}) f where ${predicate}`] : ids
}

export function flagIs(column: string, flag: boolean | null): Sql {
  return flag === null ? raw('') : sql` and i.${raw(column)} = ${Number(flag)}`
}

/** Whether the set has no items. */
export async function isEmpty(db: Queries, set: ItemSet): Promise<boolean> {
  return (await countUpTo(db, matches(set, await chooseAccessPath(db, set)), 0)) === 0
}

/** Counts the rows of selects up to `most + 1`, which means that there are more than `most`. */
export async function countUpTo(db: Queries, selects: readonly Sql[], most: number): Promise<number> {
  return countRows(db, limitUnion(selects, most + 1))
}

/** Counts the rows of selects. */
export async function count(db: Queries, selects: readonly Sql[]): Promise<number> {
  return countRows(db, joinSql(selects, ' union all '))
}

async function countRows(db: Queries, rows: Sql): Promise<number> {
  return (await db.get<{ n: number }>(sql`select count(*) as n from (${rows}) counted`))?.n ?? 0
}
