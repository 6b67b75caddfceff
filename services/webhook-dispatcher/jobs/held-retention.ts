import { newIdAt } from '#shared/crypto/ids.ts'
import { createPacer, runBatches } from '#shared/data/background/pacer.ts'
import type { Database } from '#shared/data/database.ts'
import { findRemovableHeld, removeHeldEvents } from '#shared/data/deliveries/held-retention.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Logger } from '#shared/log/logger.ts'
import { logBacklog } from '../webhook-log.ts'

export type HeldRetention = {
  db: Database
  log: Logger
  /** Identifies this run of the process. */
  owner: string
  /** For how many days an event is held. */
  maxHeldDays: number
  onMissed(count: number): void
  /** Called with each webhook that begins to miss events. */
  onChanged(webhook: { accountId: string; webhookId: string }): void
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const batchRows = { first: 50, least: 25, most: 1_000 }

/**
 * Removes events that were held for too long, so that their webhooks miss them, and events of deleted webhooks; in one dispatcher at a
 * time.
 * @returns a function that stops it
 */
export function startHeldRetention({ db, log, owner, maxHeldDays, ...on }: HeldRetention): () => Promise<void> {
  const pacer = createPacer(db, batchRows)
  const until = async () => (await db.now()) - maxHeldDays * dayMs
  return startLeasedJob({
    db,
    log,
    owner,
    name: 'held-retention',
    firstAfterMs: 5_000,
    everyMs: minuteMs,
    isDue: async () => (await findRemovableHeld(db, await until())) !== null,
    async round(shouldContinue) {
      const upTo = await until()
      let missed = 0
      const { rows } = await runBatches(pacer, shouldContinue, async (size) => {
        const batch = await removeHeldEvents(db, { until: upTo, rows: size, newId: newIdAt })
        for (const one of batch.news) {
          logBacklog(log, one)
          on.onChanged(one)
        }
        if (batch.missed > 0) on.onMissed(batch.missed)
        missed += batch.missed
        return batch
      })
      if (rows > 0) log('retention.held_events_removed', { deleted: rows, missed })
    },
  })
}
