import { succeeded } from '#shared/domain/webhook/deliveries/delivery.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'
import { isHalfFree } from '#shared/domain/webhook/held.ts'
import type { AtomicBatch, Queries, Write } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { databaseClock, deleteInList, inList } from '../sql/statements.ts'
import { type NextDelivery, planStarts } from './claims.ts'
import {
  type Cycle,
  type CyclePlan,
  type CycleState,
  type CycleWork,
  type DispatchStore,
  mayStart,
} from './cycle-plan.ts'
import { insertDeliveries } from './outbox/new-deliveries.ts'
import { deleteFromOutbox, type OutboxSelection, readEvents, type WaitingEvents } from './outbox/outbox.ts'
import {
  columnsOfQueue,
  leavesWaiting,
  type QueueChange,
  type QueueRow,
  type QueueState,
  type QueueStates,
  toQueue,
  updateUnchangedQueues,
} from './queue-state.ts'
import { outcomeWrites } from './settlements.ts'

// The form of most cycles. It reads without locks, and then one statement writes everything and verifies that no queue has changed since.
// Its order of locks is the transaction's: outbox rows, then queues in the order of their ids. Deliveries and webhooks need no separate
// check, because adding, removing or requeuing deliveries, and deactivating a webhook, changes the queue. Other settings of a webhook may
// have changed: then the claim counts as earlier than the change.

/** Thrown before anything is written: the cycle has to lock what it reads. */
export class NeedsLocks extends Error {
  /** Another process changed the same queues first. */
  readonly contended: boolean
  constructor(contended: boolean) {
    super('the cycle has to lock what it reads')
    this.contended = contended
  }
}

/** The maximum numbers of events, outcomes and deliveries; for more, a transaction costs less. */
const most = { events: 16, settlements: 64, deliveries: 64 } as const

/** What is known of a cycle so far: its work, then the events that it has read, then what it is to write. */
type KnownCycle = {
  work: CycleWork
  waiting?: WaitingEvents
  planned?: { plan: CyclePlan; before: QueueStates; changes: readonly QueueChange[]; maxWaiting: number }
}

/**
 * Whether a cycle can be written by one statement, by what is known of it so far: a few announced events that still wait, all given to
 * webhooks, and a few quick successes. Pings, retries, full backlogs and the due times of deliveries that are left waiting need separate
 * statements.
 */
export function canBeOptimistic({ work, waiting, planned }: KnownCycle): boolean {
  const { settlements, outbox } = work
  const eventIds = announced(outbox)
  if (work.claimDue || work.contended || eventIds === null || eventIds.length + settlements.length === 0) return false
  return (
    eventIds.length <= most.events &&
    settlements.length <= most.settlements &&
    settlements.every(({ claim, outcome }) => succeeded(outcome) && !outcome.details && !isPing(claim)) &&
    (!waiting || (waiting.events.length === eventIds.length && waiting.listeners.length <= most.deliveries)) &&
    (!planned || isFewAndQuick(planned, settlements.length))
  )
}

function isFewAndQuick(
  { plan, before, changes, maxWaiting }: NonNullable<KnownCycle['planned']>,
  settlements: number,
): boolean {
  const { outcomes, fanOut } = plan
  return (
    outcomes.length === settlements &&
    fanOut.deliveries.length <= most.deliveries &&
    // Held events are read under the lock of their queue. They are needed if events are held or missed, the backlog is full, or some are
    // to be given.
    !fanOut.queues.some(({ webhookId, held, missed }) => held + missed > 0 || before.get(webhookId)?.backlogFull) &&
    !changes.some(({ queue }) => queue.backlogFull && isHalfFree(queue.waiting, maxWaiting)) &&
    !changes.some((change) => change.queue.pinging > 0 || leavesWaiting(change))
  )
}

/** The ids of announced events; null: the outbox is searched for events. */
function announced(outbox: OutboxSelection | null): readonly string[] | null {
  if (outbox === null) return []
  return 'eventIds' in outbox ? outbox.eventIds : null
}

type OptimisticState = CycleState & Pick<ReadQueues, 'targets' | 'next'> & { payloads: ReadonlyMap<string, string> }

/**
 * Reads a cycle without locks, and writes it by one statement.
 * @throws NeedsLocks when one statement cannot write the cycle, or something has changed since it was read; nothing was written
 */
export function optimisticStore(
  { db, atomicBatch }: { db: Queries; atomicBatch: AtomicBatch },
  { work, holder, rules }: Cycle,
): DispatchStore<OptimisticState> {
  return {
    async read() {
      const { settlements, outbox } = work
      const waiting = await readEvents(db, announced(outbox) ?? [], rules.listeners)
      ensure({ work, waiting })
      // A queue in which nothing more waits is assumed to be as the claim left it; otherwise the statement writes nothing.
      const continuing = settlements.filter(({ claim }) => claim.hasMore).map(({ claim }) => claim)
      const webhookIds = new Set([...waiting.listeners, ...continuing].map(({ webhookId }) => webhookId))
      const { queues, ...read } = await readQueues(db, [...webhookIds])
      const claimed = settlements.map(({ claim }) => claim.queue)
      return { ...waiting, ...read, queues: byWebhook([...claimed, ...queues]), backlogs: new Map() }
    },

    async write(plan, state) {
      const next = nextDeliveries(plan, state)
      const { changes, claims } = planStarts(plan.queues, { next, holder, now: plan.now })
      const { maxWaiting } = rules
      ensure({ work, waiting: state, planned: { plan, before: state.queues, changes, maxWaiting } })
      const written = await atomicBatch(writesOf(plan, changes, state.queues))
      if (written === null) throw new NeedsLocks(true)
      return { changes, claims, disabled: [], backlogNews: [] }
    },
  }
}

function ensure(known: KnownCycle): void {
  if (!canBeOptimistic(known)) throw new NeedsLocks(false)
}

function byWebhook(queues: readonly QueueState[]): QueueStates {
  return new Map(queues.map((queue) => [queue.webhookId, queue]))
}

/** Queues as they were read, with the settings of their webhooks and the first delivery that is due. */
type ReadQueues = {
  queues: QueueState[]
  /** The values needed to send to each active webhook. */
  targets: Target[]
  next: NextDelivery[]
  /** The database's time; 0 when nothing was read: then nothing starts, and a success needs no time. */
  now: number
}

/** The columns of a webhook that a claim needs. */
type Target = Pick<
  NextDelivery,
  'webhook_id' | 'account_id' | 'activated' | 'url' | 'secret' | 'previous_secret' | 'previous_secret_until' | 'headers'
>

type ReadRow = QueueRow & Target & { now: number } & (Omit<NextDelivery, keyof Target> | { id: null })

/**
 * Reads the queues of webhooks, and for each active webhook the delivery that is due first, apart from the one that is being sent. The
 * clock is read by a subquery, so that Postgres evaluates it once: otherwise Postgres would read all deliveries that wait for a retry.
 */
async function readQueues(db: Queries, webhookIds: readonly string[]): Promise<ReadQueues> {
  if (webhookIds.length === 0) return { queues: [], targets: [], next: [], now: 0 }
  const rows = await db.all<ReadRow>(
    sql`select ${columnsOfQueue}, case when w.activated = 1 then w.active_epoch end as active_epoch,
       w.account_id, w.activated, w.url, w.secret, w.previous_secret, w.previous_secret_until, w.headers, (select ${databaseClock}) as now,
       d.id, d.event_id, d.event, d.request_id, d.attempts, d.series_attempts, d.expires_at, p.body
     from webhook_queues q join webhooks w on w.id = q.webhook_id
     left join deliveries d on d.id = (select n.id from deliveries n
       where n.webhook_id = w.id and n.status = 'pending' and n.next_attempt_at <= (select ${databaseClock}) and w.activated = 1
         and n.id <> coalesce(q.attempt_delivery_id, '')
       order by n.webhook_id, n.status, n.next_attempt_at, n.id limit 1)
     left join event_payloads p on p.event_id = d.event_id
     where ${inList('q.webhook_id', webhookIds)}`,
  )
  return {
    queues: rows.map(toQueue),
    targets: rows.filter(({ active_epoch }) => active_epoch !== null),
    next: rows.filter((row): row is ReadRow & NextDelivery => row.id !== null),
    now: rows[0]?.now ?? 0,
  }
}

/** The delivery that is due first of each webhook that may start one: waiting deliveries come before new ones. */
function nextDeliveries(plan: CyclePlan, { targets, next, payloads }: OptimisticState): NextDelivery[] {
  const found = new Map(next.map((row) => [row.webhook_id, row]))
  const activeTargets = new Map(targets.map((target) => [target.webhook_id, target]))
  for (const { id, webhookId, event } of plan.fanOut.deliveries.toSorted(byId)) {
    const target = activeTargets.get(webhookId)
    if (!target || found.has(webhookId)) continue
    found.set(webhookId, {
      ...target,
      id,
      event_id: event.eventId,
      event: event.type,
      request_id: event.requestId,
      attempts: 0,
      series_attempts: 0,
      expires_at: null,
      body: payloads.get(event.eventId) ?? '',
    })
  }
  return mayStart(plan).flatMap((webhookId) => found.get(webhookId) ?? [])
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1
}

/** The writes of a cycle in their order. There are few different sequences of texts, however much they write. */
function writesOf({ fanOut, outcomes }: CyclePlan, changes: readonly QueueChange[], before: QueueStates): Write[] {
  const { events, unmatched, deliveries } = fanOut
  return [
    ...when(events, () => ({ statement: deleteFromOutbox(fanOut), rows: events.length })),
    ...when(changes, () => ({ statement: updateUnchangedQueues(changes, before), rows: changes.length })),
    ...when(unmatched, () => ({ statement: deleteInList('event_payloads', 'event_id', unmatched) })),
    ...outcomeWrites(outcomes, databaseClock).map((statement) => ({ statement })),
    ...when(deliveries, () => ({ statement: insertDeliveries(deliveries) })),
  ]
}

function when(rows: readonly unknown[], write: () => Write): Write[] {
  return rows.length > 0 ? [write()] : []
}
