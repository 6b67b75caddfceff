import type { Config } from '#shared/config/load.ts'
import { findAccount } from '#shared/data/accounts/accounts.ts'
import { type Pacer, runBatches } from '#shared/data/background/pacer.ts'
import { noTime } from '#shared/data/background/timed-transaction.ts'
import type { Database, Queries } from '#shared/data/database.ts'
import { deleteOldEvents, type EventPartition, listEventPartitions } from '#shared/data/events/event-retention.ts'
import { keptItemVersions } from '#shared/domain/limits.ts'
import { createAccountLimits } from '#shared/domain/plan/plan.ts'

type EventSweeping = {
  db: Database
  pacer: Pacer
  /** The next sweep deletes rows created up to this time. */
  until(): Promise<number>
  /** How many of the latest versions of an account's items are kept. */
  versionsOf(accountId: string): Promise<number>
  onDeleted(rows: number): void
}

/** The position of a sweep: in the first of the partitions that it has read, after those that it has finished. */
type EventSweep = { until: number; partitions: EventPartition[]; after: EventPartition | null; deleted: number }

const partitionsPerRead = 500

/**
 * @returns a function that goes through all accounts and types of events, or continues where it was stopped, and deletes expired rows; null
 *   when it is stopped before the end
 */
export function createEventSweep(sweeping: EventSweeping) {
  const { db, pacer } = sweeping
  let current: EventSweep | null = null
  return async (shouldContinue: () => boolean): Promise<{ deleted: number } | null> => {
    const sweep: EventSweep = current ?? { until: await sweeping.until(), partitions: [], after: null, deleted: 0 }
    current = sweep
    while (shouldContinue()) {
      if (sweep.partitions.length === 0) {
        pacer.size() // from now on the rest counts
        sweep.partitions = await listEventPartitions(db, { after: sweep.after, limit: partitionsPerRead })
        if (sweep.partitions.length === 0) {
          current = null
          return { deleted: sweep.deleted }
        }
        await pacer.rest({ rows: 0, took: noTime })
      }
      await sweepPartition(sweeping, sweep, shouldContinue)
    }
    return null
  }
}

/**
 * How many of the latest versions of an account's items are kept, by its price plan. If no plan sets `maxItemVersions`, no account is
 * read.
 */
export function createVersionsOf(db: Queries, plans: Config['plans']): EventSweeping['versionsOf'] {
  const { limitsOf } = createAccountLimits(plans)
  const isLimited = Object.keys(plans).some((plan) => (limitsOf(plan)?.maxItemVersions ?? null) !== null)
  return async (accountId) => {
    const plan = isLimited ? (await findAccount(db, accountId))?.plan : undefined
    return (plan === undefined ? null : limitsOf(plan)?.maxItemVersions) ?? keptItemVersions
  }
}

/** Deletes expired rows in the first partition, and continues with the next one. */
async function sweepPartition(
  { db, pacer, onDeleted, versionsOf }: EventSweeping,
  sweep: EventSweep,
  shouldContinue: () => boolean,
): Promise<void> {
  const { done } = await runBatches(pacer, shouldContinue, async (rows) => {
    const [at] = sweep.partitions
    if (!at) return { rows: 0, took: noTime, more: false }
    const versions = await versionsOf(at.accountId)
    const step = await deleteOldEvents(db, at, { createdUntil: sweep.until, rows, versions })
    if (step.next) sweep.partitions[0] = step.next
    sweep.deleted += step.deleted
    onDeleted(step.deleted)
    return { rows: step.deleted, took: step.took, more: step.next !== null }
  })
  if (done) sweep.after = sweep.partitions.shift() ?? null
}
