import { maxCounted } from '#shared/domain/limits.ts'
import type { Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import type { SeekPosition } from '../pages/cursor.ts'
import { filteredTotal, type PagePart } from '../pages/keyset.ts'
import type { Total } from '../pages/page.ts'
import type { RowBudget } from '../pages/walk.ts'
import { joinSql } from '../sql/sql.ts'
import { passingRows } from '../sql/statements.ts'
import { countRows } from './access-path.ts'
import { measure } from './elements.ts'
import type { Source, SourcePart } from './row-ranges.ts'

// Reads a page from sources. A call examines a limited number of rows that have to be checked (contract 1.3). At the limit, a page by
// cursor ends early and returns where it ended; a page by number is too broad.

/** What a walk needs to read a page. */
export type Reader = {
  db: Queries
  /**
   * How many rows, and elements for their checks, may be examined. A row counts once for each range of its source, because a server reads
   * that many rows of each.
   */
  maxExamined: number
  /** Reads the items whose `id` and `k` a statement selects; the rows have `id` and `k` too. */
  read(positions: Sql): Promise<readonly Row[]>
  position(row: Row): SeekPosition
}

/**
 * `examinedTo`: where the walk ended before it found the whole part; null: it found the part, or no rows are left. `examined`: how many
 * rows, without the elements.
 */
export type Walked = { rows: Row[]; examinedTo: SeekPosition | null; examined: number }

/**
 * How many rows each round examines. A small first round fills most pages. There are few different numbers, so there are few texts of
 * statements.
 */
function roundsFor(limit: number): readonly number[] {
  const first = limit <= 32 ? 128 : 512
  return [first, first * 8, Number.POSITIVE_INFINITY]
}

/**
 * Selects the rows of a part among the first rows of the source in which it begins, which one round examines; null: the part ends after
 * these, or elements would have to be counted first.
 */
export function amongFirst(sources: readonly Source[], { from, direction, limit, offset }: PagePart): Sql | null {
  const [few = 0] = roundsFor(limit)
  // A position without a key is in the last source, that of the items without a value.
  const source = from?.key === null ? sources.at(-1) : sources[0]
  if (!source || offset + limit > few || (source.looksThrough ?? []).length > 0) return null
  return passing(source, { from, direction, limit: few, offset: 0, few: true }, { limit, offset })
}

/** The rows of a part that begins at a position, as many as are found among those that one call examines. */
export async function walkFrom(reader: Reader, sources: readonly Source[], part: PagePart): Promise<Walked> {
  const walked: Walked = { rows: [], examinedTo: null, examined: 0 }
  const budget = { left: reader.maxExamined }
  // A position without a key is in the last source, that of the items without a value.
  const begun = part.from?.key === null ? sources.slice(-1) : sources
  for (const [n, source] of begun.entries()) {
    const rest = { ...part, from: n === 0 ? part.from : null, limit: part.limit - walked.rows.length }
    const found = await walkSource(reader, source, { part: rest, budget })
    walked.rows.push(...found.rows)
    walked.examined += found.examined
    walked.examinedTo = found.examinedTo
    if (walked.rows.length === part.limit || walked.examinedTo) break
  }
  return walked
}

async function walkSource(
  { db, read, position }: Reader,
  source: Source,
  { part: { direction, limit, ...begun }, budget }: { part: PagePart; budget: RowBudget },
): Promise<Walked> {
  const walked: Walked = { rows: [], examinedTo: null, examined: 0 }
  if (source.checks.length === 0) {
    walked.rows.push(...(await read(source.rows({ direction, limit, ...begun }))))
    return walked
  }
  for (const [n, most] of roundsFor(limit).entries()) {
    const asked = rowsLeft(source, budget, most)
    if (asked === 0 && n > 0) break
    // The first round of a source reads at least one row, so that the walk advances.
    const from = walked.examinedTo ?? begun.from
    const first = { direction, from, limit: Math.max(asked, 1), offset: 0, few: true }
    const { rows, elements, isCut } = await measure(db, source, first, budget.left)
    if (rows === 0 && n > 0) break
    const stretch = { ...first, limit: Math.max(rows, 1), few: !isCut }
    const missing = limit - walked.rows.length
    walked.rows.push(...(await read(passing(source, stretch, { limit: missing, offset: 0 }))))
    if (walked.rows.length === limit) return { ...walked, examinedTo: null }
    budget.left -= stretch.limit * source.ranges + elements
    walked.examined += stretch.limit
    const last = await rowAt(db, source, { ...stretch, offset: stretch.limit - 1 })
    if (!last) return { ...walked, examinedTo: null }
    walked.examinedTo = position(last)
    if (isCut) break
  }
  return walked
}

/** A page by number. `total`: the number of all rows that pass, as far as a call examines them; null: not counted. */
export type NumberedRows = { rows: Row[]; total: Total | null; isTooBroad: boolean }

type Numbered = {
  part: PagePart
  /** Whether the rows that pass are counted. */
  counted: boolean
}

/**
 * The rows of a page by number. If a total is needed, rows are counted before they are read, and are not read for a page that is too broad:
 * that page costs one walk. Otherwise rows are read first. A source that does not fill the page is then counted, to find where the page
 * begins in the next source.
 */
export async function walkToPage(
  { db, read, maxExamined }: Reader,
  sources: readonly Source[],
  { part, counted }: Numbered,
): Promise<NumberedRows> {
  const [rows, budget, end]: [Row[], RowBudget, number] = [[], { left: maxExamined }, part.offset + part.limit]
  const most = Math.max(end, counted ? maxCounted + 1 : 0)
  let passed = 0
  for (const [n, source] of sources.entries()) {
    const { stretch, elements } = await stretchToCheck(db, source, { budget, part })
    const missing = { limit: part.limit - rows.length, offset: Math.max(0, part.offset - passed) }
    if (!counted) {
      rows.push(...(await readInRounds(read, source, { stretch, missing })))
      if (rows.length === part.limit) break
      if (!(await endsWithin(db, source, stretch))) return tooBroad
      if (n === sources.length - 1) break
    }
    passed += await countPassing(db, source, { stretch, most })
    const isWhole = !counted || (passed < most && (await endsWithin(db, source, stretch)))
    if (passed < end && !isWhole) return tooBroad
    if (counted && missing.limit > 0) rows.push(...(await readInRounds(read, source, { stretch, missing })))
    if (!isWhole) return { rows, total: filteredTotal(passed, { isWhole }), isTooBroad: false }
    if (source.checks.length > 0 && n < sources.length - 1)
      budget.left -= source.ranges * (await countRows(db, source.rows(stretch))) + elements
  }
  return { rows, total: counted ? filteredTotal(passed) : null, isTooBroad: false }
}

const tooBroad: NumberedRows = { rows: [], total: null, isTooBroad: true }

/**
 * The rows of a page by number, read from the first few rows of the stretch if these contain them all. MySQL reads a stretch to its end
 * before it checks any of its rows.
 */
async function readInRounds(
  read: Reader['read'],
  source: Source,
  { stretch, missing }: { stretch: SourcePart; missing: Pick<PagePart, 'limit' | 'offset'> },
): Promise<readonly Row[]> {
  const rounds = source.checks.length > 0 ? roundsFor(missing.limit) : []
  for (const limit of rounds) {
    if (limit >= stretch.limit || limit < missing.offset + missing.limit) continue
    const rows = await read(passing(source, { ...stretch, limit, few: true }, missing))
    if (rows.length === missing.limit) return rows
  }
  return read(passing(source, stretch, missing))
}

/** The rows of a source that are examined for a page by number. Where rows are not checked: as many as the page and its total need. */
async function stretchToCheck(
  db: Queries,
  source: Source,
  { budget, part }: { budget: RowBudget; part: PagePart },
): Promise<{ stretch: SourcePart; elements: number }> {
  const { offset, limit } = part
  if (source.checks.length === 0)
    return { stretch: { ...part, limit: Math.max(offset + limit, maxCounted + 1), offset: 0 }, elements: 0 }
  const asked = { ...part, limit: Math.max(1, rowsLeft(source, budget, budget.left)), offset: 0, few: true }
  const { rows, elements, isCut } = await measure(db, source, asked, budget.left)
  return { stretch: { ...asked, limit: Math.max(1, rows), few: !isCut }, elements }
}

function rowsLeft({ ranges }: Source, { left }: RowBudget, most: number): number {
  return Math.min(most, Math.floor(left / ranges))
}

/** The rows of a stretch that pass, in order. */
function passing(source: Source, stretch: SourcePart, { limit, offset }: Pick<PagePart, 'limit' | 'offset'>): Sql {
  if (source.checks.length === 0) return source.rows({ ...stretch, limit, offset })
  const part = { order: source.order(stretch.direction), limit, offset }
  return passingRows(source.rows(stretch), joinSql(source.checks, ' and '), part)
}

async function countPassing(
  db: Queries,
  source: Source,
  { stretch, most }: { stretch: SourcePart; most: number },
): Promise<number> {
  if (source.checks.length === 0 && source.atMost !== undefined) return source.atMost
  return countRows(db, passing(source, stretch, { limit: most, offset: 0 }))
}

/** Whether a source has no rows after a stretch. Rows that are not checked are all read. */
async function endsWithin(db: Queries, source: Source, stretch: SourcePart): Promise<boolean> {
  if (source.checks.length === 0) return true
  if (source.atMost !== undefined && source.atMost <= stretch.limit) return true
  return (await rowAt(db, source, { ...stretch, offset: stretch.limit })) === undefined
}

/** The row at an offset. */
function rowAt(db: Queries, source: Source, part: SourcePart): Promise<Row | undefined> {
  return db.get(source.rows({ ...part, limit: 1 }))
}
