import { maxCounted, maxExamined } from '#shared/domain/limits.ts'
import type { SeekPosition } from './cursor.ts'
import { filteredTotal, isBeyond, type PagePart } from './keyset.ts'
import type { OrderKey, PageRequest, Total } from './page.ts'
import { questionTooBroad } from './question-too-broad.ts'
import type { Stretch } from './stretch.ts'
import type { RowBudget } from './walk.ts'

/** Rows that an index serves, or each of which a walk has to examine (contract 1.3). */
export type WalkedSet<R, K extends OrderKey> = {
  /** The API name of the filter for which rows are examined one by one; null: all rows of the ranges pass. */
  walkingFilter: string | null
  /** The number of index ranges that contain the rows. */
  ranges: number
  /** How many rows that no index has in the order of the page are examined by every read; absent: none. */
  scanned?: number
  /** Goes through the rows in stretches, within a budget of rows (`walk`). */
  walk(way: Pick<PagePart<K>, 'direction' | 'from'> & { budget: RowBudget }): AsyncIterable<Stretch<K>>
  /** Some of the rows of a stretch that pass, in their order. */
  read(part: Stretch<K> & { limit: number; offset: number }): Promise<R[]>
  /** The number of rows of a stretch that pass. */
  count(stretch: Stretch<K>): Promise<number>
  /** The total of all pages; null: only a walk finds it. */
  total: (() => Promise<Total>) | null
  /** For the error of a page that is too broad: the noun for the rows, in the plural, and how to narrow the question. */
  wording: { rows: string; narrower: string }
}

/** The total is null for a page by cursor. */
type FoundRows<R, K extends OrderKey> = {
  rows: R[]
  total: Total | null
  /** The position at which an incomplete walk ended. */
  examinedTo: SeekPosition<K> | null
  /** The number of rows that a cursor page examined, if it ended before it was full. */
  examined?: number | undefined
}

/**
 * The rows of a page. At most 20,000 rows are examined: a page by cursor may end early, with fewer rows than its limit or none,
 * and the next call continues from there.
 * @param part the part of the request
 * @throws QUESTION_TOO_BROAD for a page by number that needs more
 */
export async function readWalked<R, K extends OrderKey>(
  set: WalkedSet<R, K>,
  request: PageRequest,
  part: PagePart<K>,
): Promise<FoundRows<R, K>> {
  if ('after' in request) return set.walkingFilter === null ? readWhole(set, part) : walkBehind(set, part)
  const known = set.total && (await set.total())
  if (isBeyond(part, known)) return { rows: [], examinedTo: null, total: known }
  // Servers read each range up to the end of the page.
  const isNear = (part.offset + part.limit) * set.ranges + (set.scanned ?? 0) <= maxExamined
  if (known && isNear && set.walkingFilter === null) return { ...(await readWhole(set, part)), total: known }
  return walkToPage(set, part, known)
}

async function readWhole<R, K extends OrderKey>(
  { read }: WalkedSet<R, K>,
  part: PagePart<K>,
): Promise<FoundRows<R, K>> {
  return { rows: await read({ ...part, to: null }), examinedTo: null, total: null }
}

async function walkBehind<R, K extends OrderKey>(
  { walk, read }: WalkedSet<R, K>,
  { direction, from, limit }: PagePart<K>,
): Promise<FoundRows<R, K>> {
  const rows: R[] = []
  const budget = { left: maxExamined }
  let examinedTo = from
  for await (const stretch of walk({ direction, from, budget })) {
    rows.push(...(await read({ ...stretch, limit: limit - rows.length, offset: 0 })))
    examinedTo = stretch.to
    if (rows.length === limit) break
  }
  const isShort = examinedTo !== null && rows.length < limit
  return { rows, total: null, examinedTo, examined: isShort ? maxExamined - budget.left : undefined }
}

/** Counts the passing rows as far as the walk goes, and reads the rows of the page when it reaches them. */
async function walkToPage<R, K extends OrderKey>(
  set: WalkedSet<R, K>,
  { direction, limit, offset }: PagePart<K>,
  known: Total | null,
): Promise<FoundRows<R, K>> {
  const rows: R[] = []
  let [counted, isEnd] = [0, false]
  for await (const stretch of set.walk({ direction, from: null, budget: { left: maxExamined } })) {
    const passing = await set.count(stretch)
    const part = { limit: limit - rows.length, offset: Math.max(0, offset - counted) }
    if (part.offset < passing) rows.push(...(await set.read({ ...stretch, ...part })))
    counted += passing
    isEnd = stretch.to === null
    if (rows.length === limit && (known || counted > maxCounted)) break
  }
  if (!isEnd && rows.length < limit) {
    const { walkingFilter, wording } = set
    const [parameter, advice] = [walkingFilter ?? 'page', `or ${wording.narrower}.`]
    throw questionTooBroad({ parameter, examined: maxExamined, rows: wording.rows, advice })
  }
  return { rows, examinedTo: null, total: known ?? filteredTotal(counted, { isWhole: isEnd }) }
}
