import type { Queries } from '../database.ts'
import type { Sql } from '../sql/dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitUnion } from '../sql/statements.ts'
import { listRanges, rowsAtAll } from './item-ranges.ts'
import { type Condition, conditionsOf, existsIn, type ItemSet } from './item-set.ts'

/** How the items of a set are come by: through one condition that leaves little of the list, or through the list itself. */
export type AccessPath = {
  driving: Condition | null
  /** The conditions that are left to be looked at. */
  others: readonly Condition[]
}

/** Counts stop there (contract 1.3), and no more rows than this are ever sorted. */
export const countedExactly = 10_000

/** The condition that fewest items meet; without any that items are found by, the whole list. */
export async function chooseAccessPath(db: Queries, set: ItemSet): Promise<AccessPath> {
  const conditions = conditionsOf(set)
  const through = await mostSelective(
    db,
    conditions.filter(({ candidates: found }) => found !== null),
  )
  return { driving: through, others: conditions.filter((condition) => condition !== through) }
}

async function mostSelective(db: Queries, candidates: readonly Condition[]): Promise<Condition | null> {
  const [first = null, ...others] = candidates
  if (others.length === 0) return first
  const counts = await Promise.all(
    candidates.map(({ candidates: found }) => countUpTo(db, found ? [found] : [], countedExactly)),
  )
  return candidates[counts.indexOf(Math.min(...counts))] ?? null
}

/** Selects of `id`, and what of an id `f.id` makes the item one of the set; null: nothing more. */
export type Candidates = { ids: readonly Sql[]; pass: Sql | null }

/** Every item of the set is there once. */
export function candidates(set: ItemSet, { driving: through, others }: AccessPath): Candidates {
  if (!through?.candidates) return { ids: rowsAtAll(set, { ranges: listRanges(set), conditions: others }), pass: null }
  if (through.indexRanges)
    return { ids: rowsAtAll(set, { ranges: through.indexRanges, conditions: others }), pass: null }
  const checks = others.map((condition) => sql` and ${condition.predicate('i.id')}`)
  const flags = [flagIs('activated', set.activated), flagIs('readonly', set.readonly)]
  const passes = sql`i.list_id = ${set.listId}${joinSql([...flags, ...checks], '')}`
  return { ids: [through.candidates], pass: existsIn('items i', 'i.id', 'f.id', passes) }
}

/** Selects of the `id` of every item of the set, each once. */
export function matches(set: ItemSet, chosen: AccessPath): readonly Sql[] {
  const { ids, pass } = candidates(set, chosen)
  return pass ? [sql`select f.id from (${joinSql(ids, ' union all ')}) f where ${pass}`] : ids
}

export function flagIs(column: string, flag: boolean | null): Sql {
  return flag === null ? raw('') : sql` and i.${raw(column)} = ${Number(flag)}`
}

/** Whether there is nothing in the set. */
export async function isEmpty(db: Queries, set: ItemSet): Promise<boolean> {
  return (await countUpTo(db, matches(set, await chooseAccessPath(db, set)), 0)) === 0
}

/** Rows of selects, at most one more than `most`: then there are more. */
export async function countUpTo(db: Queries, selects: readonly Sql[], most: number): Promise<number> {
  return countRows(db, limitUnion(selects, most + 1))
}

/** Rows of selects. */
export async function count(db: Queries, selects: readonly Sql[]): Promise<number> {
  return countRows(db, joinSql(selects, ' union all '))
}

async function countRows(db: Queries, rows: Sql): Promise<number> {
  return (await db.get<{ n: number }>(sql`select count(*) as n from (${rows}) counted`))?.n ?? 0
}
