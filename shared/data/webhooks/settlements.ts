import { type AttemptOutcome, afterAttempt } from '#shared/domain/webhook/delivery.ts'
import { isPing } from '#shared/domain/webhook/ping.ts'
import { beginAttempts, type Claim, type Holder, type Lane, laneNumber, releaseHeads } from './claims.ts'
import { toBoolean } from './columns.ts'
import type { Transaction } from './database.ts'
import { insertEvents } from './events.ts'
import { jsonRows } from './json-rows.ts'

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
 */
export async function settle(
  tx: Transaction,
  settlements: readonly Settlement[],
  holder: Holder,
  rules: SettleRules,
): Promise<Claim[]> {
  if (settlements.length === 0) return []
  const live = await readLive(tx, settlements, holder, rules)
  if (live.length === 0) return []
  await writeDeliveries(tx, live)
  await writeHeads(tx, live)
  await disable(
    tx,
    live.filter(({ disables }) => disables),
    rules,
  )
  const goingOn = live.filter(({ settlement: { goOn, lane, claim }, active, disables }) => {
    return goOn && lane === claim.lane && active && !disables
  })
  const staying = new Set(goingOn.map(({ webhookId }) => webhookId))
  await releaseHeads(
    tx,
    live.map(({ webhookId }) => webhookId).filter((id) => !staying.has(id)),
  )
  return beginAttempts(tx, [...staying], holder)
}

type Live = {
  settlement: Settlement
  webhookId: string
  active: boolean
  result: ReturnType<typeof afterAttempt>
  consecutiveFailures: number
  disables: boolean
}

type LiveRow = { webhook_id: string; consecutive_failures: number; activated: unknown }

async function readLive(
  tx: Transaction,
  settlements: readonly Settlement[],
  holder: Holder,
  rules: SettleRules,
): Promise<Live[]> {
  const endedAt = await tx.now()
  const given = settlements.map(({ claim }) => [claim.webhookId, claim.fence, claim.deliveryId])
  const rows = await tx.all<LiveRow>(
    `select h.webhook_id, h.consecutive_failures, w.activated
     from ${jsonRows(['id', 'fence', 'delivery_id'])}
     join webhook_heads h on h.webhook_id = given.id and h.fence = given.fence and h.attempt_delivery_id = given.delivery_id
     join webhooks w on w.id = h.webhook_id where h.lease_owner = ?`,
    [JSON.stringify(given), holder.owner],
  )
  const byWebhook = new Map(rows.map((row) => [row.webhook_id, row]))
  return settlements.flatMap((settlement) => {
    const { claim, outcome } = settlement
    const row = byWebhook.get(claim.webhookId)
    if (!row) return []
    const { seriesAttempts } = claim
    const { retrySeconds } = rules
    const result = afterAttempt({ seriesAttempts, outcome, endedAt, retrySeconds, once: isPing(claim) })
    return [toLive(settlement, row, result, rules.disableAfter)]
  })
}

/** A success ends the run of failures, a delivery failed for good lengthens it, a retry to come and a ping leave it. */
function toLive(settlement: Settlement, row: LiveRow, result: Live['result'], disableAfter: number): Live {
  const active = toBoolean(row.activated)
  const before = row.consecutive_failures
  const counts = !isPing(settlement.claim)
  const consecutiveFailures = counts ? { succeeded: 0, pending: before, failed: before + 1 }[result.status] : before
  const disables = active && counts && result.status === 'failed' && consecutiveFailures >= disableAfter
  return { settlement, webhookId: row.webhook_id, active, result, consecutiveFailures, disables }
}

async function writeDeliveries(tx: Transaction, live: readonly Live[]): Promise<void> {
  const now = await tx.now()
  const rows = live.map(({ settlement: { claim, outcome }, result }) => {
    const answered = outcome.status !== null
    return [
      ...[claim.deliveryId, claim.number, result.status, result.status === 'pending' ? result.nextAttemptAt : null],
      ...[result.status === 'pending' ? null : now, outcome.status, answered ? outcome.body : null],
      ...[outcome.durationMs, outcome.error],
    ]
  })
  const columns = ['id', 'number', 'status', 'next_at', 'completed_at', 'response', 'body', 'ms', 'error']
  const given = jsonRows(columns)
  const bound = JSON.stringify(rows)
  await tx.run(
    `update deliveries set status = given.status, next_attempt_at = given.next_at, completed_at = given.completed_at,
       response_status = given.response, response_body = given.body, response_duration_ms = given.ms,
       error = given.error, updated_at = ? from ${given} where deliveries.id = given.id`,
    [now, bound],
  )
  await tx.run(
    `update delivery_attempts set duration_ms = given.ms, status = given.response, error = given.error
     from ${given} where delivery_attempts.delivery_id = given.id and delivery_attempts.number = given.number`,
    [bound],
  )
}

async function writeHeads(tx: Transaction, live: readonly Live[]): Promise<void> {
  const rows = live.map(({ webhookId, settlement, result, consecutiveFailures }) => [
    ...[webhookId, Number(result.status === 'succeeded'), Number(result.status === 'failed')],
    ...[consecutiveFailures, laneNumber[settlement.lane], Number(isPing(settlement.claim))],
  ])
  await tx.run(
    `update webhook_heads set waiting = waiting - (given.succeeded + given.failed) * (1 - given.ping),
       pinging = pinging - (given.succeeded + given.failed) * given.ping,
       succeeded = webhook_heads.succeeded + given.succeeded, failed = webhook_heads.failed + given.failed,
       consecutive_failures = given.failures, lane = given.lane
     from ${jsonRows(['id', 'succeeded', 'failed', 'failures', 'lane', 'ping'])} where webhook_heads.webhook_id = given.id`,
    [JSON.stringify(rows)],
  )
}

async function disable(tx: Transaction, disabled: readonly Live[], rules: SettleRules): Promise<void> {
  if (disabled.length === 0) return
  const now = await tx.now()
  const reason = `${rules.disableAfter} deliveries in a row failed for good`
  await tx.run(
    `update webhooks set activated = 0, disabled_at = ?, disabled_reason = ?, updated_at = ?
     where id in (select id from ${jsonRows(['id'])})`,
    [now, reason, now, JSON.stringify(disabled.map(({ webhookId }) => [webhookId]))],
  )
  await insertEvents(
    tx,
    disabled.map(({ webhookId, settlement: { claim } }) => ({
      ...{
        id: rules.newId(now),
        accountId: claim.accountId,
        createdAt: now,
        stream: 'webhook',
        type: 'webhook-disabled',
      },
      ...{ modelId: webhookId, listId: null, actor: null, snapshot: null, attachments: { reason } },
    })),
  )
}
