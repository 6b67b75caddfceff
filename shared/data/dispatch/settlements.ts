import { type AfterAttempt, type AttemptOutcome, afterAttempt } from '#shared/domain/webhook/delivery.ts'
import { isPing } from '#shared/domain/webhook/ping.ts'
import { toBoolean } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import { sql } from '../sql/sql.ts'
import { among, given, updateFrom } from '../sql/statements.ts'
import { beginAttempts, type Claim, type Holder } from './claims.ts'
import { readNext } from './next-deliveries.ts'
import type { HeadChange, Lane, LockedHead, LockedHeads } from './queue-state.ts'

/** The outcome of one claimed attempt, to be written on the strength of the claim's fence. */
export type Settlement = {
  claim: Claim
  outcome: AttemptOutcome
  /** The lane for the webhook's next attempt. */
  lane: Lane
  /** Whether the holder wants the webhook's next delivery; it gets none in another lane. */
  goOn: boolean
}

export type SettleRules = { retrySeconds: readonly number[]; disableAfter: number; newId(at: number): string }

/**
 * Writes outcomes: delivery, attempt log, head row, and the disabling of a webhook with its event; then begins the next
 * attempt of each webhook that goes on. All in the caller's transaction, with a few statements for any number of outcomes.
 * An outcome whose fence is stale, or whose webhook is gone, drops out: somebody else answers for that head now.
 * @param settling.heads those of the outcomes, locked; afterwards they are as this has left them
 */
export async function settle(
  tx: Transaction,
  settling: { settlements: readonly Settlement[]; heads: LockedHeads; holder: Holder; rules: SettleRules },
): Promise<Claim[]> {
  const { heads, holder, rules } = settling
  const endedAt = await tx.now()
  const live = settling.settlements.flatMap((settlement) => {
    const head = heads.get(settlement.claim.webhookId)
    return head && isHeldFor(settlement, head, holder) ? [toLive(settlement, head, { ...rules, endedAt })] : []
  })
  if (live.length === 0) return []
  await writeDeliveries(tx, live, endedAt)
  await disable(
    tx,
    live.filter(({ disables }) => disables),
    rules,
  )
  const staying = live.filter(({ settlement: { goOn, lane, claim } }) => goOn && lane === claim.lane)
  const next = await readNext(
    tx,
    staying.map(({ head }) => head.webhookId),
  )
  return beginAttempts(tx, live.map(toChange), { next: next.filter(({ activated }) => toBoolean(activated)), holder })
}

type Live = {
  settlement: Settlement
  /** As it is after this outcome. */
  head: LockedHead
  result: AfterAttempt
  /** Whether the run of failures disables the webhook, if it is active. */
  disables: boolean
}

function isHeldFor({ claim }: Settlement, head: LockedHead, { owner }: Holder): boolean {
  return head.leaseOwner === owner && head.fence === claim.fence && head.attemptDeliveryId === claim.deliveryId
}

/** A success ends the run of failures, a delivery failed for good lengthens it, a retry to come and a ping leave it. */
function toLive(
  settlement: Settlement,
  head: LockedHead,
  { endedAt, retrySeconds, disableAfter }: SettleRules & { endedAt: number },
): Live {
  const { claim, outcome } = settlement
  const { seriesAttempts } = claim
  const result = afterAttempt({ seriesAttempts, outcome, endedAt, retrySeconds, once: isPing(claim) })
  const counts = !isPing(claim)
  const failures = head.consecutiveFailures
  const consecutiveFailures = counts
    ? { succeeded: 0, pending: failures, failed: failures + 1 }[result.status]
    : failures
  const waiting = head.waiting - Number(counts && result.status !== 'pending')
  Object.assign(head, { lane: settlement.lane, consecutiveFailures, waiting })
  return {
    settlement,
    head,
    result,
    disables: counts && result.status === 'failed' && consecutiveFailures >= disableAfter,
  }
}

function toChange({ head, settlement, result }: Live): Omit<HeadChange, 'beginning'> {
  const settled = result.status === 'pending' ? null : { status: result.status, isPing: isPing(settlement.claim) }
  return { head, settled }
}

async function writeDeliveries(tx: Transaction, live: readonly Live[], now: number): Promise<void> {
  const rows = live.map(({ settlement: { claim, outcome }, result }) => {
    const answered = outcome.status !== null
    return [
      ...[claim.deliveryId, claim.number, result.status, result.status === 'pending' ? result.nextAttemptAt : null],
      ...[result.status === 'pending' ? null : now, outcome.status, answered ? outcome.body : null],
      ...[outcome.durationMs, outcome.error],
    ]
  })
  const from = given(
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
  await tx.inOrder([() => tx.run(deliveries), () => tx.run(attempts)])
}

/** A webhook that somebody has made inactive in the meantime stays as it is. */
async function disable(tx: Transaction, failing: readonly Live[], rules: SettleRules): Promise<void> {
  if (failing.length === 0) return
  const now = await tx.now()
  const reason = `${rules.disableAfter} deliveries in a row failed for good`
  const ids = failing.map(({ head }) => head.webhookId)
  const active = await tx.all<{ id: string; account_id: string }>(
    sql`select id, account_id from webhooks where ${among('id', ids)} and activated = 1 order by id`,
  )
  if (active.length === 0) return
  await tx.run(
    sql`update webhooks set activated = 0, disabled_at = ${now}, disabled_reason = ${reason}, updated_at = ${now}
      where ${among(
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
