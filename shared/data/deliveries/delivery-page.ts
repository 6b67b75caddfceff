import { maxExamined } from '#shared/domain/limits.ts'
import type { Delivery, DeliveryStatus } from '#shared/domain/webhook/deliveries/delivery.ts'
import { AppError } from '#shared/errors.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { endPage, filteredTotal, partOf, toPage } from '../pages/keyset.ts'
import type { OrderKey, Page, PageRequest, Total } from '../pages/page.ts'
import { readWalked, type WalkedSet } from '../pages/walked-page.ts'
import { raw, sql } from '../sql/sql.ts'
import { readDeliveries } from './deliveries.ts'
import { type DeliveryFilters, type DeliverySet, rangesOf, walkingFilter } from './delivery-ranges.ts'
import { countDeliveries, type DeliveryId, readDeliveryIds } from './delivery-reads.ts'
import { walkDeliveries } from './delivery-walk.ts'

/** The number of deliveries of a webhook by status, from the counters of its queue. */
export type DeliveryCounts = Record<DeliveryStatus, number> & { webhookId: string }

/** The counts of all webhooks of an account, or of one of them; empty if the account does not have it. */
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
 * One page of the deliveries of webhooks of an account in the order of their creation. It examines at most 20,000 rows, including waiting
 * ones. A cursor page may end early, with fewer rows than its limit or none; `next` continues from there.
 * @param of.counts the counts of the webhooks
 * @throws VALIDATION_FAILED for a cursor that is not of this listing; QUESTION_TOO_BROAD for a page by number that needs more rows, and
 *   if more deliveries wait
 */
export async function readDeliveryPage(
  db: Queries,
  of: { counts: readonly DeliveryCounts[]; filters: DeliveryFilters; request: PageRequest },
): Promise<Page<Delivery>> {
  const { counts, filters, request } = of
  const webhookIds = counts.filter(hasAny).map(({ webhookId }) => webhookId)
  const set = walkedSet(
    db,
    { ...filters, webhookIds },
    { waiting: countWaiting(counts, filters), known: countedTotal(counts, filters) },
  )
  const { rows, examinedTo, examined, total } = await readWalked(set, request, partOf(request, isNoKey))
  const page = endPage(request, rows, { position: ({ id }) => ({ key: null, id }), examinedTo })
  const ids = page.rows.map(({ id }) => id)
  return toPage(request, { data: await readDeliveries(db, ids), next: page.next, examined }, total)
}

const hasAny = ({ pending, succeeded, failed }: DeliveryCounts) => pending + succeeded + failed > 0

const isNoKey = (key: OrderKey): key is null => key === null

function walkedSet(
  db: Queries,
  set: DeliverySet,
  { waiting, known }: { waiting: number; known: Total | null },
): WalkedSet<DeliveryId, null> {
  const ranges = rangesOf(set).length
  if (waiting + ranges > maxExamined) throw tooManyWait()
  return {
    walkingFilter: walkingFilter(set),
    ranges,
    scanned: waiting,
    walk: (way) => walkDeliveries(db, set, { ...way, waiting }),
    read: (part) => readDeliveryIds(db, set, part),
    count: (stretch) => countDeliveries(db, set, stretch),
    total: known && (async () => known),
    wording: { rows: 'deliveries', narrower: 'narrow the request by startAt, itemId or eventId' },
  }
}

/** The number of waiting deliveries, which a read sorts, because no index has them in order of creation. */
function countWaiting(counts: readonly DeliveryCounts[], { statuses, itemId, eventId }: DeliveryFilters): number {
  const isSorted = itemId === undefined && eventId === undefined && (statuses?.includes('pending') ?? true)
  return isSorted ? counts.reduce((sum, { pending }) => sum + pending, 0) : 0
}

function tooManyWait(): AppError {
  const message = `More than ${maxExamined} of these deliveries are waiting; narrow the request by webhookId, itemId or eventId, or filter by another status.`
  return new AppError('QUESTION_TOO_BROAD', { message, details: { examined: maxExamined, parameter: 'status' } })
}

/** The total, if it follows from the counters of the queues. */
function countedTotal(counts: readonly DeliveryCounts[], { statuses, ...others }: DeliveryFilters): Total | null {
  if (Object.keys(others).length > 0) return null
  const sum = (of: (counts: DeliveryCounts) => number) => counts.reduce((total, each) => total + of(each), 0)
  if (!statuses) return { total: sum(({ pending, succeeded, failed }) => pending + succeeded + failed) }
  return filteredTotal(sum((each) => statuses.reduce((total, status) => total + each[status], 0)))
}
