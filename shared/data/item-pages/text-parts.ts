import { maxCounted } from '#shared/domain/limits.ts'
import { hasTrigram } from '#shared/domain/text/filter.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { PagePart } from '../pages/keyset.ts'
import type { PageRequest } from '../pages/page.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { idTable } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'
import { type AccessPath, flagIs } from './access-path.ts'
import type { Condition } from './conditions/condition.ts'
import { measure } from './elements.ts'
import type { ItemSet } from './item-set.ts'
import { findPartsIndex, partsIndexId } from './parts-index.ts'
import { type InSources, type Positions, sortedWithin } from './positions.ts'
import type { RowOrder } from './row-ranges.ts'

// Items with a part of a text, where the operator has built the parts index. It quickly finds a few of many entries, but reads all
// that it finds. So some rows in the order of the page are checked first, to see whether most of them pass anyway.

type Asked = { order: RowOrder; request: PageRequest; part: PagePart; maxExamined: number }

/** The items that the parts index finds, instead of a walk that would skip most rows. */
export async function positionsByParts(
  db: Queries,
  { path: { set, driving, others }, positions }: { path: AccessPath; positions: Positions },
  { order, request, part, maxExamined }: Asked,
): Promise<Positions> {
  const conditions = driving ? [driving, ...others] : others
  const sought = conditions.flatMap(({ parts = [] }) => parts)
  if ('sorted' in positions || sought.length === 0) return positions
  const index = await findPartsIndex(db)
  const served = index && sought.find(({ texts }) => texts.some((filter) => hasTrigram(filter, index)))
  if (!served || (await isWalkEnough(db, positions, { part, isNumbered: !('after' in request), maxExamined })))
    return positions
  const ids = await itemsWithParts(db, set, served)
  const way = { set, driving: oneOf(ids), others: conditions }
  if (ids.length <= maxCounted) return sortedWithin(db, way, { order, maxExamined })
  return conditions.length === 1 ? { ...positions, count: async () => ids.length } : positions
}

/** How many rows are checked before the parts index is used. */
const probedRows = 512
/** If at least this share of them passes, 20,000 rows are likely to contain the 10,000 that are counted. */
const enoughToCount = 0.75

/** Whether a walk is short, or finds the page and counts its total within the rows that it may examine. */
async function isWalkEnough(
  db: Queries,
  { sources }: InSources,
  {
    part: { direction, from, limit },
    isNumbered,
    maxExamined,
  }: Pick<Asked, 'part' | 'maxExamined'> & { isNumbered: boolean },
): Promise<boolean> {
  const source = from?.key === null ? sources.at(-1) : sources[0]
  if (!source || source.checks.length === 0 || source.atMost !== undefined) return true
  const probe = { direction, from, limit: probedRows, offset: 0, few: true }
  const { rows: examined } = await measure(db, source, probe, maxExamined)
  const rows = source.rows({ ...probe, limit: examined, few: examined === probedRows })
  const passes = joinSql(source.checks, ' and ')
  const probed = await db.get(sql`select count(*) as n, sum(case when ${passes} then 1 else 0 end) as passing
    from (${rows}) f`)
  if (toNumber(probed?.n ?? 0) < examined) return source === sources.at(-1)
  return toNumber(probed?.passing ?? 0) >= (isNumbered ? probedRows * enoughToCount : limit)
}

/**
 * The ids of the list's items with the set's flags whose entry has the parts; one more than `maxCounted` means that there are more.
 * Postgres plans the query without the limit: with it, Postgres may expect to find that many sooner in the table.
 */
async function itemsWithParts(
  db: Queries,
  { activated, readonly }: ItemSet,
  { indexId, texts }: NonNullable<Condition['parts']>,
): Promise<string[]> {
  const passes = texts.map((filter) => textFilterPredicate('i.filter_key', filter))
  const rows = await db.all(sql`with found as materialized (select i.item_id as id from index_values i
      where ${raw(partsIndexId('i'))} = ${indexId} and ${joinSql(passes, ' and ')}
        ${flagIs('activated', activated)}${flagIs('readonly', readonly)})
    select id from found limit ${maxCounted + 1}`)
  return rows.map(({ id }) => toText(id))
}

/**
 * A condition that finds these items. The condition that they were found for still checks them, because they may have changed since.
 */
function oneOf(ids: readonly string[]): Condition {
  return {
    predicate: () => raw('1 = 1'),
    candidates: sql`select input.id from ${idTable(ids)}`,
    indexRanges: null,
  }
}
