import { type AfterAttempt, type AttemptOutcome, afterAttempt } from '#shared/domain/webhook/delivery.ts'
import { isPing } from '#shared/domain/webhook/ping.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import { sql } from '../sql/sql.ts'
import { inList, updateFrom, valuesTable } from '../sql/statements.ts'
import { beginAttempts, type Claim, type Holder } from './claims.ts'
import { readNext } from './next-deliveries.ts'
import type { Lane, LockedQueue, LockedQueues, QueueChange } from './queue-state.ts'

// Settling writes the outcomes of claimed attempts. For each outcome, the delivery and its attempt get their result; a run of
// failures may disable the webhook; the queue's counters change; then the next attempt begins, or the lease is given back.
// Invariant: an outcome counts only while its queue is still leased under the fence and for the delivery that the claim names.
// Otherwise the webhook is gone, or another dispatcher has taken the queue over and logged the attempt as interrupted: the
// outcome is dropped.
// The caller has locked all queues in the order of their ids; everything else is written by statements for all outcomes.

/** The outcome of one claimed attempt. */
export type Settlement = {
  claim: Claim
  outcome: AttemptOutcome
  /** The lane for the webhook's next attempt. */
  lane: Lane
  /** Whether the holder wants the webhook's next delivery; when the lane changes it gets none. */
  shouldContinue: boolean
}

export type SettleRules = { retrySeconds: readonly number[]; disableAfter: number; newId(at: number): string }

/**
 * Writes outcomes: delivery, attempt log, queue row, and the disabling of a webhook with its event; then begins the next
 * attempt of each webhook that continues. All in the caller's transaction, with a few statements for any number of outcomes.
 * Drops an outcome whose fence is stale or whose webhook is gone.
 * @param settling.queues the locked queues of the outcomes; updated in place to what is written
 * @returns the claims of the attempts that begin
 */
export async function settle(
  tx: Transaction,
  settling: { settlements: readonly Settlement[]; queues: LockedQueues; holder: Holder; rules: SettleRules },
): Promise<Claim[]> {
  const { queues, holder, rules } = settling
  const endedAt = await tx.now()
  const held = settling.settlements.flatMap((settlement) => {
    const queue = queues.get(settlement.claim.webhookId)
    return queue && isHeldFor(settlement, queue, holder)
      ? [toHeldSettlement(settlement, queue, { ...rules, endedAt })]
      : []
  })
  if (held.length === 0) return []
  await writeDeliveries(tx, held, endedAt)
  await disable(
    tx,
    held.filter(({ disables }) => disables),
    rules,
  )
  const continuing = held.filter(
    ({ settlement: { shouldContinue, lane, claim } }) => shouldContinue && lane === claim.lane,
  )
  const next = await readNext(
    tx,
    continuing.map(({ queue }) => queue.webhookId),
  )
  return beginAttempts(tx, held.map(toChange), { next: next.filter(({ activated }) => toBoolean(activated)), holder })
}

/** A settlement whose queue its holder still has. */
type HeldSettlement = {
  settlement: Settlement
  /** The queue after this outcome. */
  queue: LockedQueue
  result: AfterAttempt
  /** Whether the run of failures disables the webhook, if it is active. */
  disables: boolean
}

function isHeldFor({ claim }: Settlement, queue: LockedQueue, { owner }: Holder): boolean {
  return queue.leaseOwner === owner && queue.fence === claim.fence && queue.attemptDeliveryId === claim.deliveryId
}

/** A success ends the run of failures, and a delivery that failed for good extends it; a pending retry or a ping leaves it. */
function toHeldSettlement(
  settlement: Settlement,
  queue: LockedQueue,
  { endedAt, retrySeconds, disableAfter }: SettleRules & { endedAt: number },
): HeldSettlement {
  const { claim, outcome } = settlement
  const { seriesAttempts } = claim
  const result = afterAttempt({ seriesAttempts, outcome, endedAt, retrySeconds, once: isPing(claim) })
  const counts = !isPing(claim)
  const failures = queue.consecutiveFailures
  const consecutiveFailures = counts
    ? { succeeded: 0, pending: failures, failed: failures + 1 }[result.status]
    : failures
  const waiting = queue.waiting - Number(counts && result.status !== 'pending')
  Object.assign(queue, { lane: settlement.lane, consecutiveFailures, waiting })
  return {
    settlement,
    queue,
    result,
    disables: counts && result.status === 'failed' && consecutiveFailures >= disableAfter,
  }
}

function toChange({ queue, settlement, result }: HeldSettlement): Omit<QueueChange, 'beginning'> {
  const settled = result.status === 'pending' ? null : { status: result.status, isPing: isPing(settlement.claim) }
  return { queue, settled }
}

async function writeDeliveries(tx: Transaction, held: readonly HeldSettlement[], now: number): Promise<void> {
  const rows = held.map(({ settlement: { claim, outcome }, result }) => {
    const answered = outcome.status !== null
    return [
      ...[claim.deliveryId, claim.number, result.status, result.status === 'pending' ? result.nextAttemptAt : null],
      ...[result.status === 'pending' ? null : now, outcome.status, answered ? outcome.body : null],
      ...[outcome.durationMs, outcome.error],
    ]
  })
  const from = valuesTable(
    {
      ...{ id: 'text', number: 'int', status: 'text', next_at: 'int', completed_at: 'int', response: 'int' },
      ...{ body: 'longText', ms: 'int', error: 'text' },
    },
    rows,
  )
  const deliveries = updateFrom({
    table: 'deliveries',
    set: {
      ...{ status: sql`input.status`, next_attempt_at: sql`input.next_at`, completed_at: sql`input.completed_at` },
      ...{ response_status: sql`input.response`, response_body: sql`input.body` },
      ...{ response_duration_ms: sql`input.ms`, error: sql`input.error`, updated_at: sql`${now}` },
    },
    from,
    where: sql`deliveries.id = input.id`,
  })
  const attempts = updateFrom({
    table: 'delivery_attempts',
    set: { duration_ms: sql`input.ms`, status: sql`input.response`, error: sql`input.error` },
    from,
    where: sql`delivery_attempts.delivery_id = input.id and delivery_attempts.number = input.number`,
  })
  await tx.pipeline([() => tx.run(deliveries), () => tx.run(attempts)])
}

/** A webhook that a client has deactivated meanwhile stays as it is. */
async function disable(tx: Transaction, failing: readonly HeldSettlement[], rules: SettleRules): Promise<void> {
  if (failing.length === 0) return
  const now = await tx.now()
  const reason = `${rules.disableAfter} deliveries in a row failed for good`
  const ids = failing.map(({ queue }) => queue.webhookId)
  const active = await tx.all<{ id: string; account_id: string }>(
    sql`select id, account_id from webhooks where ${inList('id', ids)} and activated = 1 order by id`,
  )
  if (active.length === 0) return
  await tx.run(
    sql`update webhooks set activated = 0, disabled_at = ${now}, disabled_reason = ${reason}, updated_at = ${now}
      where ${inList(
        'id',
        active.map(({ id }) => id),
      )}`,
  )
  await insertEvents(
    tx,
    active.map(({ id, account_id }) => ({
      ...{ id: rules.newId(now), accountId: account_id, createdAt: now, stream: 'webhook', type: 'webhook-disabled' },
      ...{ modelId: id, listId: null, actor: null, snapshot: null, attachments: { reason } },
    })),
  )
}
