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

/** The outcome of one claimed attempt, to be written on the strength of the claim's fence. */
export type Settlement = {
  claim: Claim
  outcome: AttemptOutcome
  /** The lane for the webhook's next attempt. */
  lane: Lane
  /** Whether the holder wants the webhook's next delivery; it gets none in another lane. */
  shouldContinue: boolean
}

export type SettleRules = { retrySeconds: readonly number[]; disableAfter: number; newId(at: number): string }

/**
 * Writes outcomes: delivery, attempt log, queue row, and the disabling of a webhook with its event; then begins the next
 * attempt of each webhook that goes on. All in the caller's transaction, with a few statements for any number of outcomes.
 * An outcome whose fence is stale, or whose webhook is gone, drops out: somebody else answers for that queue now.
 * @param settling.queues those of the outcomes, locked; afterwards they are as this has left them
 */
export async function settle(
  tx: Transaction,
  settling: { settlements: readonly Settlement[]; queues: LockedQueues; holder: Holder; rules: SettleRules },
): Promise<Claim[]> {
  const { queues, holder, rules } = settling
  const endedAt = await tx.now()
  const live = settling.settlements.flatMap((settlement) => {
    const queue = queues.get(settlement.claim.webhookId)
    return queue && isHeldFor(settlement, queue, holder)
      ? [toHeldSettlement(settlement, queue, { ...rules, endedAt })]
      : []
  })
  if (live.length === 0) return []
  await writeDeliveries(tx, live, endedAt)
  await disable(
    tx,
    live.filter(({ disables }) => disables),
    rules,
  )
  const continuing = live.filter(({ settlement: { shouldContinue: goOn, lane, claim } }) => goOn && lane === claim.lane)
  const next = await readNext(
    tx,
    continuing.map(({ queue }) => queue.webhookId),
  )
  return beginAttempts(tx, live.map(toChange), { next: next.filter(({ activated }) => toBoolean(activated)), holder })
}

type HeldSettlement = {
  settlement: Settlement
  /** As it is after this outcome. */
  queue: LockedQueue
  result: AfterAttempt
  /** Whether the run of failures disables the webhook, if it is active. */
  disables: boolean
}

function isHeldFor({ claim }: Settlement, queue: LockedQueue, { owner }: Holder): boolean {
  return queue.leaseOwner === owner && queue.fence === claim.fence && queue.attemptDeliveryId === claim.deliveryId
}

/** A success ends the run of failures, a delivery failed for good lengthens it, a retry to come and a ping leave it. */
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

async function writeDeliveries(tx: Transaction, live: readonly HeldSettlement[], now: number): Promise<void> {
  const rows = live.map(({ settlement: { claim, outcome }, result }) => {
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
      ...{ status: sql`given.status`, next_attempt_at: sql`given.next_at`, completed_at: sql`given.completed_at` },
      ...{ response_status: sql`given.response`, response_body: sql`given.body` },
      ...{ response_duration_ms: sql`given.ms`, error: sql`given.error`, updated_at: sql`${now}` },
    },
    from,
    where: sql`deliveries.id = given.id`,
  })
  const attempts = updateFrom({
    table: 'delivery_attempts',
    set: { duration_ms: sql`given.ms`, status: sql`given.response`, error: sql`given.error` },
    from,
    where: sql`delivery_attempts.delivery_id = given.id and delivery_attempts.number = given.number`,
  })
  await tx.pipeline([() => tx.run(deliveries), () => tx.run(attempts)])
}

/** A webhook that somebody has made inactive in the meantime stays as it is. */
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
