import { maxCounted, maxExamined } from '#shared/domain/limits.ts'
import type { Delivery, DeliveryStatus } from '#shared/domain/webhook/delivery.ts'
import { AppError } from '#shared/errors.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { makeCursor } from '../pages/cursor.ts'
import { endPage, filteredTotal, isBeyond, partOf, toPage } from '../pages/keyset.ts'
import type { Page, PageRequest, Total } from '../pages/page.ts'
import { raw, sql } from '../sql/sql.ts'
import { readDeliveries } from './deliveries.ts'
import { type DeliveryFilters, type DeliverySet, rangesOf, walkingFilter } from './delivery-ranges.ts'
import { countDeliveries, readDeliveryIds } from './delivery-reads.ts'
import { walkDeliveries } from './delivery-walk.ts'

/** How many deliveries of each status a webhook has, by the counters of its queue. */
export type DeliveryCounts = Record<DeliveryStatus, number> & { webhookId: string }

/** The counts of all webhooks of an account, or of one of them: none where the account does not have it. */
export async function readDeliveryCounts(
  db: Queries,
  { accountId, webhookId }: { accountId: string; webhookId?: string },
): Promise<DeliveryCounts[]> {
  const rows = await db.all(
    sql`select w.id, q.waiting + q.pinging as pending, q.succeeded, q.failed
      from webhooks w join webhook_queues q on q.webhook_id = w.id
      where w.account_id = ${accountId}${webhookId === undefined ? raw('') : sql` and w.id = ${webhookId}`}`,
  )
  return rows.map((row) => ({
    webhookId: toText(row.id),
    pending: toNumber(row.pending),
    succeeded: toNumber(row.succeeded),
    failed: toNumber(row.failed),
  }))
}

/**
 * One page of the deliveries of webhooks of an account in the order of their creation. It examines at most 20,000 rows, and those
 * that wait: by cursor it may end early, with fewer rows than its limit or none, and `next` goes on from there.
 * @param of.counts the counts of the webhooks
 * @throws VALIDATION_FAILED for a cursor that is not of this listing; QUESTION_TOO_BROAD for a page by number that needs more rows
 */
export async function readDeliveryPage(
  db: Queries,
  of: { counts: readonly DeliveryCounts[]; filters: DeliveryFilters; request: PageRequest },
): Promise<Page<Delivery>> {
  const { counts, filters, request } = of
  const webhookIds = counts.filter(hasAny).map(({ webhookId }) => webhookId)
  const set = { ...filters, webhookIds }
  const { ids, ...end } = 'after' in request ? await readAfter(db, set, request) : await readNumbered(db, set, of)
  return toPage(request, { data: await readDeliveries(db, ids), next: end.next }, end.total)
}

const hasAny = ({ pending, succeeded, failed }: DeliveryCounts) => pending + succeeded + failed > 0

type Found = { ids: string[]; next: string | null; total: Total | null }

async function readAfter(db: Queries, set: DeliverySet, request: PageRequest): Promise<Found> {
  const { direction, from, limit } = partOf(request)
  const found: { id: string }[] = []
  let to: string | null = null
  const whole = { direction, from, to: null }
  const budget = { left: maxExamined }
  for await (const stretch of walkingFilter(set) ? walkDeliveries(db, set, { direction, from, budget }) : [whole]) {
    found.push(...(await readDeliveryIds(db, set, { ...stretch, limit: limit - found.length, offset: 0 })))
    to = stretch.to
    if (found.length === limit) break
  }
  const { rows, next } = endPage(request, found, { position: ({ id }) => ({ key: null, id }) })
  // The rows end here, the log does not.
  const examinedTo = to === null ? null : makeCursor({ key: null, id: to }, request)
  return { ids: rows.map(({ id }) => id), next: next ?? examinedTo, total: null }
}

async function readNumbered(
  db: Queries,
  set: DeliverySet,
  { counts, filters, request }: { counts: readonly DeliveryCounts[]; filters: DeliveryFilters; request: PageRequest },
): Promise<Found> {
  const part = partOf(request)
  const known = countedTotal(counts, filters)
  if (isBeyond(part, known)) return { ids: [], next: null, total: known }
  // Servers read each range up to the end of the page.
  const isNear = (part.offset + part.limit) * rangesOf(set).length <= maxExamined
  if (known && isNear && !walkingFilter(set)) {
    const ids = await readDeliveryIds(db, set, { ...part, to: null })
    return { ids: ids.map(({ id }) => id), next: null, total: known }
  }
  const walked = await walkToPage(db, set, { ...part, known })
  return { ...walked, next: null, total: known ?? walked.total }
}

/** The total where the counters of the queues tell it. */
function countedTotal(counts: readonly DeliveryCounts[], { statuses, ...others }: DeliveryFilters): Total | null {
  if (Object.keys(others).length > 0) return null
  const sum = (of: (counts: DeliveryCounts) => number) => counts.reduce((total, each) => total + of(each), 0)
  if (!statuses) return { total: sum(({ pending, succeeded, failed }) => pending + succeeded + failed) }
  return filteredTotal(sum((each) => statuses.reduce((total, status) => total + each[status], 0)))
}

type Numbered = Pick<Parameters<typeof readDeliveryIds>[2], 'direction' | 'limit' | 'offset'> & { known: Total | null }

/** Counts what passes, as far as the walk goes, and reads the rows of the page when it comes to them. */
async function walkToPage(
  db: Queries,
  set: DeliverySet,
  { direction, limit, offset, known }: Numbered,
): Promise<{ ids: string[]; total: Total }> {
  const ids: string[] = []
  let [counted, isEnd] = [0, false]
  for await (const stretch of walkDeliveries(db, set, { direction, from: null, budget: { left: maxExamined } })) {
    const passing = await countDeliveries(db, set, stretch)
    const part = { limit: limit - ids.length, offset: Math.max(0, offset - counted) }
    if (part.offset < passing) {
      ids.push(...(await readDeliveryIds(db, set, { ...stretch, ...part })).map(({ id }) => id))
    }
    counted += passing
    isEnd = stretch.to === null
    if (ids.length === limit && (known || counted > maxCounted)) break
  }
  if (!isEnd && ids.length < limit) throw questionTooBroad(walkingFilter(set) ?? 'page')
  return { ids, total: isEnd ? filteredTotal(counted) : { total: Math.min(counted, maxCounted), totalIsAtLeast: true } }
}

function questionTooBroad(parameter: string): AppError {
  return new AppError('QUESTION_TOO_BROAD', {
    message: `A page by number with this ${parameter} needs more than ${maxExamined} deliveries examined; page with after=, or narrow it by startAt, itemId or eventId.`,
    details: { examined: maxExamined, parameter },
  })
}
