import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import type { Source, SourcePart } from './row-ranges.ts'

// A check on an index with array elements reads every element of an item. Elements are examined like rows, and the limit of a call is
// for both together. They are counted before they are read. They are numbered, so counting costs one lookup in each index.

/** The rows of a stretch that a call can examine, with the elements that it reads for them. */
export type Measured = {
  /** 0 if the first row has too many elements. */
  rows: number
  /** The elements of these rows; those of the first row, if it has too many. */
  elements: number
  /** Whether the stretch has more rows after these. */
  isCut: boolean
}

/**
 * How many rows of a stretch can be examined, with the elements that the checks of their source read.
 * @param left how many rows and elements a call may still examine
 */
export async function measure(db: Queries, source: Source, stretch: SourcePart, left: number): Promise<Measured> {
  const { looksThrough = [], ranges, order } = source
  if (looksThrough.length === 0) return { rows: stretch.limit, elements: 0, isCut: false }
  const inOrder = raw(order(stretch.direction))
  const fits = sql`m.place * ${raw(`${ranges}`)} + m.elements <= ${left}`
  const measured = await db.get(sql`select count(*) as n, count(case when ${fits} then 1 end) as fitting,
      max(case when ${fits} then m.elements end) as elements, min(m.elements) as fewest
    from (select row_number() over (order by ${inOrder}) as place,
        sum(${elementsOf(looksThrough)}) over (order by ${inOrder} rows unbounded preceding) as elements
      from (${source.rows(stretch)}) f) m`)
  const rows = toNumber(measured?.fitting ?? 0)
  const isCut = rows < toNumber(measured?.n ?? 0)
  return { rows: isCut ? rows : stretch.limit, elements: toNumber(measured?.elements ?? measured?.fewest ?? 0), isCut }
}

/**
 * The number of elements of a row `f`, times how often they are examined. The smallest element is not counted: it is an entry like
 * that of any other item.
 */
function elementsOf(looksThrough: readonly string[]): Sql {
  const counts = [...new Set(looksThrough)].map((indexId) => {
    const times = looksThrough.filter((other) => other === indexId).length
    return sql`${raw(`${times}`)} * coalesce((select e.n + 1 from index_elements e
      where e.item_id = f.id and e.index_id = ${indexId} order by e.revision desc, e.n desc limit 1), 0)`
  })
  return joinSql(counts, ' + ')
}
