import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import type { AfterOutcome, Lane, QueueNews, QueueRules } from '#shared/domain/webhook/deliveries/queue.ts'
import type { Transaction } from '../database.ts'
import type { Sql, ValuesColumns } from '../dialect.ts'
import { insertEvents } from '../events/events.ts'
import { sql } from '../sql/sql.ts'
import { inList, onConflict, updateFrom, valuesTable } from '../sql/statements.ts'
import { type Claim, logLastAttempts } from './claims.ts'
import { writeNotices } from './notices.ts'
import type { QueueState } from './queue-state.ts'

// Settling writes the outcomes of claimed attempts. For each outcome, the delivery gets its result; a run of failures may disable the
// webhook; the queue's counters change; then the next attempt starts, or the lease is released (`claims.ts`).
// `cycle-plan.ts` decides how queues and deliveries change. Deliveries are written here, and queues by `queue-state.ts`, by
// statements for all outcomes.

/** The outcome of one claimed attempt. */
export type Settlement = {
  claim: Claim
  outcome: AttemptOutcome
  /** The lane for the webhook's next attempt. */
  lane: Lane
  /** Whether the holder wants the webhook's next delivery; when the lane changes it gets none. */
  shouldContinue: boolean
}

export type SettleRules = QueueRules & {
  newId(at: number): string
  /** The origin of the dashboard that notices of disabled webhooks link to; absent: no notice is sent. */
  notices?: { publicUrl: string }
}

/** A settlement that counts, with the queue and the delivery after its outcome. */
export type PlannedOutcome = AfterOutcome<QueueState> & { settlement: Settlement }

/**
 * The writes of outcomes to their deliveries. The last attempt of a delivery that had earlier attempts is logged first. An attempt
 * with details is logged with them at once.
 */
export function outcomeWrites(outcomes: readonly PlannedOutcome[], clock: Sql): Sql[] {
  if (outcomes.length === 0) return []
  const retried = outcomes.filter(({ settlement }) => settlement.claim.number > 1)
  const detailed = outcomes.filter(({ settlement }) => settlement.outcome.details !== undefined)
  return [
    ...(retried.length > 0 ? [logLastAttempts(retried.map(({ settlement }) => settlement.claim.deliveryId))] : []),
    updateDeliveries(outcomes, clock),
    ...(detailed.length > 0 ? [logDetailed(detailed)] : []),
  ]
}

/** What an outcome changed for an operator; `failures` is the length of the run, also of one that has ended. */
export type OutcomeNews = { news: QueueNews; claim: Claim; outcome: AttemptOutcome; failures: number; waiting: number }

/** @param disabled the webhooks that the outcomes have disabled: others were not active any more */
export function outcomeNews(outcomes: readonly PlannedOutcome[], disabled: readonly string[]): OutcomeNews[] {
  return outcomes.flatMap(({ news, queue, settlement: { claim, outcome } }) => {
    if (news === null || (news === 'disabled' && !disabled.includes(claim.webhookId))) return []
    const failures = queue.consecutiveFailures || claim.queue.consecutiveFailures
    return [{ news, claim, outcome, failures, waiting: queue.waiting }]
  })
}

/**
 * Disables the webhooks that outcomes disable and that are still active. Writes an event for each and, where operators receive
 * notices, a notice. A webhook that a client has deactivated meanwhile stays as it is.
 * @returns the ids of those it has disabled
 */
export async function disableFailing(
  tx: Transaction,
  outcomes: readonly PlannedOutcome[],
  rules: SettleRules,
): Promise<string[]> {
  const failing = outcomes.filter(({ news }) => news === 'disabled')
  if (failing.length === 0) return []
  const now = await tx.now()
  const reason = `${rules.disableAfter} deliveries in a row failed for good`
  const ids = failing.map(({ queue }) => queue.webhookId)
  const active = await tx.all<{ id: string; account_id: string; url: string; description: string }>(
    sql`select id, account_id, url, description from webhooks where ${inList('id', ids)} and activated = 1 order by id`,
  )
  if (active.length === 0) return []
  const disabled = active.map(({ id }) => id)
  await tx.run(
    sql`update webhooks set activated = 0, disabled_at = ${now}, disabled_reason = ${reason}, updated_at = ${now}
      where ${inList('id', disabled)}`,
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
  if (rules.notices) {
    const notices = active.map(({ id, account_id, url, description }) => {
      return { webhookId: id, accountId: account_id, url, description, reason, disabledAt: now }
    })
    await writeNotices(tx, notices, { ...rules, ...rules.notices })
  }
  return disabled
}

/**
 * Logs attempts with their details. The row exists before the next attempt ends, which then does not log it again. Readers of the log
 * read the last attempt from the delivery, and its details from here.
 */
function logDetailed(outcomes: readonly PlannedOutcome[]): Sql {
  const rows = outcomes.map(({ settlement: { claim, outcome } }) => {
    const { deliveryId, number, startedAt } = claim
    const { durationMs, status, error, details } = outcome
    return [deliveryId, number, startedAt, durationMs, status, error, JSON.stringify(details)]
  })
  return sql`insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status, error, details)
    select id, attempt, began_at, ms, response, failure, kept from ${valuesTable(detailColumns, rows)}
    where true ${onConflict(['delivery_id', 'number'], {})}`
}

const detailColumns: ValuesColumns = {
  id: 'text',
  attempt: 'int',
  began_at: 'int',
  ms: 'int',
  response: 'int',
  failure: 'text',
  kept: 'longText',
}

/**
 * Usually all attempts have succeeded. Then the text of the statement contains the results, so there are fewer values to read.
 * @param clock the time of the write, in epoch milliseconds
 */
function updateDeliveries(outcomes: readonly PlannedOutcome[], clock: Sql): Sql {
  const areSuccesses = outcomes.every(({ delivery }) => delivery.status === 'succeeded')
  return updateFrom({
    table: 'deliveries',
    set: {
      attempts: sql`input.number`,
      series_attempts: sql`input.series`,
      last_attempt_at: sql`input.started_at`,
      response_status: sql`input.response`,
      response_body: sql`input.body`,
      response_duration_ms: sql`input.ms`,
      status: areSuccesses ? sql`'succeeded'` : sql`input.status`,
      next_attempt_at: areSuccesses ? sql`null` : sql`input.next_at`,
      completed_at: areSuccesses ? clock : sql`case when input.next_at is null then ${clock} end`,
      error: areSuccesses ? sql`null` : sql`input.error`,
      updated_at: clock,
    },
    from: areSuccesses
      ? valuesTable(attemptColumns, outcomes.map(attemptRow))
      : valuesTable({ ...attemptColumns, ...resultColumns }, outcomes.map(resultRow)),
    where: sql`deliveries.id = input.id`,
  })
}

const attemptColumns: ValuesColumns = {
  id: 'text',
  number: 'int',
  series: 'int',
  started_at: 'int',
  response: 'int',
  body: 'longText',
  ms: 'int',
}

function attemptRow({ settlement: { claim, outcome } }: PlannedOutcome): unknown[] {
  const { deliveryId, number, seriesAttempts, startedAt } = claim
  const body = outcome.status === null ? null : outcome.body
  return [deliveryId, number, seriesAttempts, startedAt, outcome.status, body, outcome.durationMs]
}

const resultColumns: ValuesColumns = { status: 'text', next_at: 'int', error: 'text' }

function resultRow(planned: PlannedOutcome): unknown[] {
  const { delivery, settlement } = planned
  const nextAt = delivery.status === 'pending' ? delivery.nextAttemptAt : null
  return [...attemptRow(planned), delivery.status, nextAt, settlement.outcome.error]
}
