import { maxCounted } from '#shared/domain/limits.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitUnion } from '../sql/statements.ts'
import { type Condition, existsIn } from './conditions/condition.ts'
import { conditionsOf, type ItemSet } from './item-set.ts'
import { rangesOfList, rowsInAnyOrder } from './ranges.ts'

// How a set's items are found. One condition drives: its candidates are read first, from its own index, and the other
// conditions are checked for each of them. Of several conditions the one with the fewest candidates drives, which are counted
// up to 10,000; a part of a text is looked for among all values, so it drives only where no other condition can. Without such
// a condition all items of the list are read. The choice is not left to the database, which misestimates how many items one
// tag, owner or value has.
// Invariant: on every path each item of the set is selected exactly once.

/** How the items of a set are found: through one driving condition; null: through the list itself. */
export type AccessPath = Found & {
  /** Counts what is found before the others are checked, up to `maxCounted + 1`, once. */
  countFound(): Promise<number>
  /** Counts the items of the set, up to `maxCounted + 1`, once. */
  countItems(): Promise<number>
}

type Found = {
  set: ItemSet
  driving: Condition | null
  /** The conditions still to check. */
  others: readonly Condition[]
}

/** Chooses the condition with the fewest candidates to drive; without any that has candidates, the whole list. */
export async function chooseAccessPath(db: Queries, set: ItemSet): Promise<AccessPath> {
  const conditions = conditionsOf(set)
  const usable = conditions.filter(({ candidates, indexRanges }) => candidates !== null || indexRanges !== null)
  const sought = usable.filter(({ scans }) => !scans)
  const { driving, counted } = await mostSelective(db, set, sought.length > 0 ? sought : usable)
  const path: Found = { set, driving, others: conditions.filter((condition) => condition !== driving) }
  let found = counted === null ? null : Promise.resolve(counted)
  const countFound = () => {
    found ??= countUpTo(db, driving ? candidatesOf(set, driving) : matches(path), maxCounted)
    return found
  }
  let items: Promise<number> | null = null
  const countItems = () => {
    items ??= findsOnlyItems(path) ? countFound() : countUpTo(db, matches(path), maxCounted)
    return items
  }
  return { ...path, countFound, countItems }
}

/** @returns the condition with the fewest candidates, and their number if it was counted */
async function mostSelective(
  db: Queries,
  set: ItemSet,
  conditions: readonly Condition[],
): Promise<{ driving: Condition | null; counted: number | null }> {
  const [first = null, ...others] = conditions
  if (others.length === 0) return { driving: first, counted: null }
  const counts = await Promise.all(
    conditions.map((condition) => countUpTo(db, candidatesOf(set, condition), maxCounted)),
  )
  const fewest = Math.min(...counts)
  return { driving: conditions[counts.indexOf(fewest)] ?? null, counted: fewest }
}

/** Whether the items of the set are found and no others. */
function findsOnlyItems({ driving, others }: Found): boolean {
  return driving === null || (driving.candidates === null && others.length === 0)
}

/** Selects of the `id` of the items that meet one condition, each once. */
function candidatesOf(set: ItemSet, { candidates: found, indexRanges: ranges }: Condition): readonly Sql[] {
  if (found) return [found]
  return ranges ? rowsInAnyOrder(set, { ranges, conditions: [] }) : []
}

/** Selects of `id`, and the condition on such an id, `f.id`, that still has to hold; null: none. */
export type Candidates = { ids: readonly Sql[]; predicate: Sql | null }

/** Candidates that contain every item of the set exactly once. */
export function candidates({ set, driving, others }: Found): Candidates {
  if (!driving?.candidates || driving.indexRanges) {
    const ranges = driving?.indexRanges ?? rangesOfList(set)
    return { ids: rowsInAnyOrder(set, { ranges, conditions: others }), predicate: null }
  }
  const checks = others.map((condition) => sql` and ${condition.predicate('i.id')}`)
  const flags = [flagIs('activated', set.activated), flagIs('readonly', set.readonly)]
  const passes = sql`i.list_id = ${set.listId}${joinSql([...flags, ...checks], '')}`
  return { ids: [driving.candidates], predicate: existsIn('items i', 'i.id', 'f.id', passes) }
}

/** Selects of the `id` of every item of the set, each once. */
export function matches(path: Found): readonly Sql[] {
  const { ids, predicate } = candidates(path)
  return predicate ? [sql`select f.id from (${joinSql(ids, ' union all ')}) f where ${predicate}`] : ids
}

export function flagIs(column: string, flag: boolean | null): Sql {
  return flag === null ? raw('') : sql` and i.${raw(column)} = ${Number(flag)}`
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
