import * as limits from '#shared/domain/limits.ts'
import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { Direction } from '../pages/page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { limitUnion } from '../sql/statements.ts'
import { type Condition, existsIn, type ItemRanges } from './conditions/condition.ts'
import { conditionsOf, type ItemSet } from './item-set.ts'
import { rangesOfIndex, rangesOfList, rowsInAnyOrder } from './ranges.ts'
import { inOrderOfCreation } from './row-ranges.ts'

// How the items of a set are found. One condition drives: its candidates are read first, from its own index, and the other conditions
// are checked for each candidate. Of several conditions, the one with the fewest candidates drives; candidates are counted up to 10,000.
// A condition on a part of a text has to read all values of its index, so it drives only where no other condition can and these values
// are few. Without a driving condition, all items of the list are read. The choice is not left to the database, which misestimates how
// many items one tag, owner or value has.
// Invariant: on every path each item of the set is selected exactly once.

/** How the items of a set are found: through one driving condition; null: through the list itself. */
export type AccessPath = Found & {
  /** Counts the items found before the other conditions are checked, up to `most + 1`. A count that is known is not repeated. */
  countFound(most: number): Promise<number>
}

type Found = {
  set: ItemSet
  driving: Condition | null
  /** The conditions still to check. */
  others: readonly Condition[]
  /** How many items the driving condition finds, up to `maxCounted + 1`; null: not counted. */
  counted: number | null
}

type Choice = {
  /** The direction of a page in order of creation. The rarest condition is the one whose items reach farthest in this direction. */
  direction?: Direction
  /** How many rows that no index serves may be examined. */
  maxExamined?: number
}

/** Chooses the condition with the fewest candidates to drive; without any that has candidates, the whole list. */
export async function chooseAccessPath(
  db: Queries,
  set: ItemSet,
  { direction = 'desc', maxExamined = limits.maxExamined }: Choice = {},
): Promise<AccessPath> {
  const conditions = conditionsOf(set)
  const { driving, counted } = await chooseDriving(db, set, { conditions, direction, maxExamined })
  const path: Found = { set, driving, counted, others: conditions.filter((condition) => condition !== driving) }
  const found = driving ? candidatesOf(set, driving) : allRows(set, rangesOfList(set))
  let known = counted === null ? null : { most: limits.maxCounted, count: counted }
  return {
    ...path,
    async countFound(most) {
      if (!known || (known.count > known.most && known.most < most)) {
        known = { most, count: await countUpTo(db, found, most) }
      }
      return known.count
    },
  }
}

type Driving = Pick<Found, 'driving' | 'counted'>

async function chooseDriving(
  db: Queries,
  set: ItemSet,
  { conditions, direction, maxExamined }: Required<Choice> & { conditions: readonly Condition[] },
): Promise<Driving> {
  const usable = conditions.filter(({ candidates, indexRanges, anyOf }) => candidates ?? indexRanges ?? anyOf)
  const sought = usable.filter(({ scans }) => !scans)
  const [first, ...others] = sought
  if (!first) return { driving: await scannedIfFew(db, set, { scanned: usable[0], maxExamined }), counted: null }
  if (others.length === 0) return { driving: first, counted: null }
  const counts = await Promise.all(
    sought.map((condition) => countUpTo(db, candidatesOf(set, condition), limits.maxCounted)),
  )
  const fewest = Math.min(...counts)
  const fewestOf = sought.filter((_, n) => counts[n] === fewest)
  const driving =
    fewest > limits.maxCounted ? await rarestOf(db, set, { conditions: fewestOf, direction }) : fewestOf[0]
  return { driving: driving ?? null, counted: fewest }
}

/** The condition on a part of a text, if its index has few enough entries for one call to read them all; null: it may not drive. */
async function scannedIfFew(
  db: Queries,
  set: ItemSet,
  { scanned, maxExamined }: { scanned: Condition | undefined; maxExamined: number },
): Promise<Condition | null> {
  if (scanned?.index === undefined) return null
  const entries = await countUpTo(db, allRows(set, rangesOfIndex(scanned.index)), maxExamined)
  return entries <= maxExamined ? scanned : null
}

/**
 * Of conditions with more items than are counted, the one whose first item that is not counted is farthest in order of creation. Where
 * fewer than two conditions have this order: the one that has it, or the first of all.
 */
async function rarestOf(
  db: Queries,
  set: ItemSet,
  { conditions, direction }: { conditions: readonly Condition[]; direction: Direction },
): Promise<Condition | null> {
  const ordered = conditions.filter((condition) => condition.byCreation !== undefined)
  if (ordered.length < 2) return ordered[0] ?? conditions[0] ?? null
  const reaches = await Promise.all(
    ordered.map(async ({ byCreation: ranges }) => {
      if (!ranges) return 0
      const row = await db.get(
        inOrderOfCreation(set, ranges).rows({ direction, from: null, limit: 1, offset: limits.maxCounted }),
      )
      return toNumber(row?.k ?? 0)
    }),
  )
  const farthest = direction === 'asc' ? Math.max(...reaches) : Math.min(...reaches)
  return ordered[reaches.indexOf(farthest)] ?? null
}

/** Selects of the `id` of the items that meet one condition. An item is selected once, unless several conditions find it. */
function candidatesOf(set: ItemSet, condition: Condition): readonly Sql[] {
  const { candidates: found, indexRanges: ranges, anyOf } = condition
  if (anyOf) return anyOf.flatMap((branch) => branchOf(set, branch))
  if (found && !findsOnce(condition)) return [found]
  return ranges ? allRows(set, ranges) : []
}

/** Selects of the `id` of the items of one of several conditions. Ranges also filter by the flags. */
function branchOf(set: ItemSet, { candidates: found, indexRanges: ranges }: Condition): readonly Sql[] {
  if (ranges) return allRows(set, ranges)
  return found ? [found] : []
}

/**
 * How many items the set has, up to `most + 1`, if ranges contain each of them exactly once; null: only a walk can count them, because
 * `countFound` may include items outside the set, or count one twice.
 */
export async function countByRanges(db: Queries, path: AccessPath, most: number): Promise<number | null> {
  const { set, driving, others } = path
  if (!driving || others.length > 0) return null
  if (driving.anyOf) return countEither(db, { set, anyOf: driving.anyOf }, most)
  return findsOnce(driving) ? path.countFound(most) : null
}

/** Whether ranges contain each item of a condition once, and no others. Several elements of one array may be in the same range. */
function findsOnce({ indexRanges, byCreation, isBroader, scans }: Condition): boolean {
  if (!indexRanges || isBroader || scans || byCreation?.distinct) return false
  return indexRanges.table !== 'index_elements' || byCreation !== undefined
}

type Either = Pick<Way, 'set'> & { anyOf: readonly Condition[] }

/**
 * The same for items that meet at least one of several conditions. One statement first counts the items of each condition. This is
 * usually enough, because one condition has more than `most` items, or only one has any.
 */
async function countEither(db: Queries, { set, anyOf: branches }: Either, most: number): Promise<number | null> {
  const exact = branches.filter(findsOnce)
  const ofEach = exact.map((branch) => branchOf(set, branch))
  const counts = await countEachUpTo(db, ofEach, most)
  if (counts.some((one) => one > most)) return most + 1
  if (exact.length < branches.length) return null
  const found = exact.map((branch, n) => ({ branch, rows: ofEach[n] ?? [], count: counts[n] ?? 0 }))
  const [largest, ...others] = found.filter((one) => one.count > 0).toSorted((a, b) => b.count - a.count)
  if (!largest || others.length === 0) return largest?.count ?? 0
  return countUpTo(db, together(largest, others), most)
}

type Counted = { branch: Condition; rows: readonly Sql[]; count: number }

/** Looking up one item costs as much as adding this many rows to a union. */
const unitedForLookup = 8

/**
 * Selects of the `id` of the items that several conditions find, each once. It is one statement, so an item that moves from one
 * condition to another meanwhile is still counted.
 */
function together(
  { branch: { looksThrough, predicate }, rows, count: most }: Counted,
  others: readonly Counted[],
): Sql[] {
  const rest = others.flatMap((one) => one.rows)
  const lookups = others.reduce((sum, one) => sum + one.count, 0)
  if (looksThrough || lookups * unitedForLookup > most) return [eachOnce([...rows, ...rest])]
  return [...idsOf(rows), sql`select r.id from (${eachOnce(rest)}) r where not (${predicate('r.id')})`]
}

function allRows(set: ItemSet, ranges: ItemRanges): readonly Sql[] {
  return rowsInAnyOrder(set, { ranges, conditions: [] })
}

/** Selects of `id`, and the condition that each `f.id` still has to meet; null: no condition. */
export type Candidates = {
  ids: readonly Sql[]
  predicate: Sql | null
  /** Whether the selects have the time of creation too, as `k`. */
  haveTime: boolean
}

/** The parts of an access path to the items of a set. */
export type Way = Pick<Found, 'set' | 'driving' | 'others'>

/** The conditions that the items found still have to meet. The branches of `anyOf` may also find other items. */
export function checksOf({ driving, others }: Way): readonly Condition[] {
  return driving?.anyOf && !driving.isExact ? [driving, ...others] : others
}

/**
 * Candidates that contain every item of the set exactly once.
 * @param conditions the checks that the candidates already meet; all of them if absent
 */
export function candidates(way: Way, conditions: readonly Condition[] = checksOf(way)): Candidates {
  const { set, driving } = way
  if (driving?.anyOf) return checkedItems(set, { found: eachOnce(candidatesOf(set, driving)), conditions })
  if (!driving?.candidates || driving.indexRanges) {
    const ranges = driving?.indexRanges ?? rangesOfList(set)
    return { ids: rowsInAnyOrder(set, { ranges, conditions }), predicate: null, haveTime: true }
  }
  return checkedItems(set, { found: driving.candidates, conditions })
}

/** Selects the `id` of the rows of several selects, each once. A union costs less than `distinct` of all rows. */
function eachOnce(selects: readonly Sql[]): Sql {
  return joinSql(idsOf(selects), ' union ')
}

function idsOf(selects: readonly Sql[]): Sql[] {
  return selects.map((select) => sql`select u.id from (${select}) u`)
}

function checkedItems(
  set: ItemSet,
  { found, conditions }: { found: Sql; conditions: readonly Condition[] },
): Candidates {
  const checks = conditions.map((condition) => sql` and ${condition.predicate('i.id')}`)
  const flags = [flagIs('activated', set.activated), flagIs('readonly', set.readonly)]
  const passes = sql`i.list_id = ${set.listId}${joinSql([...flags, ...checks], '')}`
  const predicate = existsIn('items i', 'i.id', 'f.id', passes)
  return { ids: [found], predicate, haveTime: false }
}

/** Selects of the `id` of every item of the set, each once. */
export function matches(path: Way): readonly Sql[] {
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

/** Counts the rows of each of several unions of selects, up to `most + 1`, in one snapshot. */
async function countEachUpTo(db: Queries, unions: readonly (readonly Sql[])[], most: number): Promise<number[]> {
  if (unions.length === 0) return []
  const counts = unions.map(
    (selects, n) => sql`(select count(*) from (${limitUnion(selects, most + 1)}) counted) as ${raw(`n${n}`)}`,
  )
  const row = await db.get(sql`select ${joinSql(counts, ', ')}`)
  return unions.map((_, n) => toNumber(row?.[`n${n}`] ?? 0))
}

/** Counts the rows of selects. */
export async function count(db: Queries, selects: readonly Sql[]): Promise<number> {
  return countRows(db, joinSql(selects, ' union all '))
}

/** Counts the rows of a select. */
export async function countRows(db: Queries, rows: Sql): Promise<number> {
  return toNumber((await db.get(sql`select count(*) as n from (${rows}) counted`))?.n ?? 0)
}
