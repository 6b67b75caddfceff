import type { AttemptOutcome } from '#shared/domain/webhook/delivery.ts'
import { isPing } from '#shared/domain/webhook/ping.ts'
import {
  type AfterOutcome,
  type Lane,
  type QueueNews,
  type QueueRules,
  queueAfter,
} from '#shared/domain/webhook/queue.ts'
import type { Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { insertEvents } from '../events/events.ts'
import { sql } from '../sql/sql.ts'
import { inList, updateFrom, valuesTable } from '../sql/statements.ts'
import { logLastAttempts } from './attempt-log.ts'
import type { Claim, Holder } from './claims.ts'
import type { QueuePlan } from './queue-plans.ts'
import type { LockedQueue, LockedQueues } from './queue-state.ts'

// Settling writes the outcomes of claimed attempts. For each outcome, the delivery gets its result; a run of failures may disable
// the webhook; the queue's counters change; then the next attempt begins, or the lease is given back
// (`claims.ts`).
// Invariant: an outcome counts only while its queue is still leased under the fence and for the delivery that the claim names.
// Otherwise the webhook is gone, or another dispatcher has taken the queue over and ended the attempt as interrupted: the
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

export type SettleRules = QueueRules & { newId(at: number): string }

/** Outcomes that count, with what they make of queues and deliveries. */
export type Settled = {
  held: readonly HeldSettlement[]
  plans: QueuePlan[]
  /** All locked queues, as the outcomes leave them. */
  queues: LockedQueues
}

/**
 * Decides what outcomes make of queues and deliveries. Drops an outcome whose fence is stale or whose webhook is gone.
 * @param settling.queues the locked queues of the outcomes, and others
 * @param settling.endedAt the transaction's time
 */
export function planSettlements(settling: {
  settlements: readonly Settlement[]
  queues: LockedQueues
  holder: Holder
  rules: QueueRules
  endedAt: number
}): Settled {
  const { settlements, queues, holder, rules, endedAt } = settling
  const held = settlements.flatMap((settlement) => {
    const queue = queues.get(settlement.claim.webhookId)
    return queue && isHeldFor(settlement, queue, holder)
      ? [toHeldSettlement(settlement, queue, { ...rules, endedAt })]
      : []
  })
  const after = held.map(({ queue }) => [queue.webhookId, queue] as const)
  return { held, plans: held.map(toPlan), queues: new Map([...queues, ...after]) }
}

/** What an attempt leaves in its delivery however it ended, of a row called `input`. */
export const attemptColumns = {
  attempts: sql`input.number`,
  series_attempts: sql`input.series`,
  last_attempt_at: sql`input.started_at`,
  response_status: sql`input.response`,
  response_body: sql`input.body`,
  response_duration_ms: sql`input.ms`,
}

/** Writes outcomes to their deliveries, with one statement; another one logs the attempts that deliveries had before. */
export async function writeOutcomes(tx: Transaction, { held }: Settled, now: number): Promise<void> {
  if (held.length === 0) return
  const retried = retriedIds(held.map(({ settlement }) => settlement))
  const deliveries = updateDeliveries(held, now)
  if (retried.length === 0) await tx.run(deliveries)
  else await tx.pipeline([() => tx.run(logLastAttempts(retried)), () => tx.run(deliveries)])
}

/** What an outcome changed for an operator; `failures` is the length of the run, also of one that has ended. */
export type OutcomeNews = { news: QueueNews; claim: Claim; outcome: AttemptOutcome; failures: number; waiting: number }

/** @param disabled the webhooks that the outcomes have disabled: others were not active any more */
export function outcomeNews({ held }: Settled, disabled: readonly string[]): OutcomeNews[] {
  return held.flatMap(({ news, queue, settlement: { claim, outcome } }) => {
    if (news === null || (news === 'disabled' && !disabled.includes(claim.webhookId))) return []
    const failures = queue.consecutiveFailures || claim.queue.consecutiveFailures
    return [{ news, claim, outcome, failures, waiting: queue.waiting }]
  })
}

/**
 * Disables the webhooks whose outcomes say so and that are still active, each with its event. One that a client has deactivated
 * meanwhile stays as it is.
 * @returns the ids of those it has disabled
 */
export async function disableFailing(tx: Transaction, { held }: Settled, rules: SettleRules): Promise<string[]> {
  const failing = held.filter(({ news }) => news === 'disabled')
  if (failing.length === 0) return []
  const now = await tx.now()
  const reason = `${rules.disableAfter} deliveries in a row failed for good`
  const ids = failing.map(({ queue }) => queue.webhookId)
  const active = await tx.all<{ id: string; account_id: string }>(
    sql`select id, account_id from webhooks where ${inList('id', ids)} and activated = 1 order by id`,
  )
  if (active.length === 0) return []
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
      id: rules.newId(now),
      accountId: account_id,
      createdAt: now,
      stream: 'webhook',
      type: 'webhook-disabled',
      modelId: id,
      listId: null,
      actor: null,
      snapshot: null,
      attachments: { reason },
    })),
  )
  return active.map(({ id }) => id)
}

/** A settlement whose queue its holder still has, with what its outcome makes of the queue and the delivery. */
type HeldSettlement = AfterOutcome<LockedQueue> & { settlement: Settlement }

function isHeldFor({ claim }: Settlement, queue: LockedQueue, { owner }: Holder): boolean {
  return queue.leaseOwner === owner && queue.fence === claim.fence && queue.attemptDeliveryId === claim.deliveryId
}

function toHeldSettlement(
  settlement: Settlement,
  queue: LockedQueue,
  { endedAt, ...rules }: QueueRules & { endedAt: number },
): HeldSettlement {
  const { claim, outcome, lane } = settlement
  const { event, seriesAttempts } = claim
  return { settlement, ...queueAfter(queue, { event, seriesAttempts, outcome, endedAt, lane }, rules) }
}

function toPlan({ queue, settlement, delivery }: HeldSettlement): QueuePlan {
  const { claim, lane, shouldContinue } = settlement
  return {
    queue,
    missed: 0,
    settled: delivery.status === 'pending' ? null : { status: delivery.status, isPing: isPing(claim) },
    lease: shouldContinue && lane === claim.lane ? 'continues' : 'free',
  }
}

function updateDeliveries(held: readonly HeldSettlement[], now: number): Sql {
  const rows = held.map(({ settlement: { claim, outcome }, delivery }) => {
    const answered = outcome.status !== null
    const [nextAt, completedAt] = delivery.status === 'pending' ? [delivery.nextAttemptAt, null] : [null, now]
    return [
      claim.deliveryId,
      claim.number,
      claim.seriesAttempts,
      claim.startedAt,
      delivery.status,
      nextAt,
      completedAt,
      outcome.status,
      answered ? outcome.body : null,
      outcome.durationMs,
      outcome.error,
    ]
  })
  const from = valuesTable(
    {
      id: 'text',
      number: 'int',
      series: 'int',
      started_at: 'int',
      status: 'text',
      next_at: 'int',
      completed_at: 'int',
      response: 'int',
      body: 'longText',
      ms: 'int',
      error: 'text',
    },
    rows,
  )
  return updateFrom({
    table: 'deliveries',
    set: {
      ...attemptColumns,
      status: sql`input.status`,
      next_attempt_at: sql`input.next_at`,
      completed_at: sql`input.completed_at`,
      error: sql`input.error`,
      updated_at: sql`${now}`,
    },
    from,
    where: sql`deliveries.id = input.id`,
  })
}

/** The deliveries that have had an attempt before. */
export function retriedIds(settlements: readonly Settlement[]): string[] {
  return settlements.filter(({ claim }) => claim.number > 1).map(({ claim }) => claim.deliveryId)
}
