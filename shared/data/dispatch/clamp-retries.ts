import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { Database } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { laneNumber, lockQueues } from './queue-state.ts'

/** The most webhooks in one transaction. */
const batchRows = 200

/**
 * Makes queues due now that are due further in the future than any retry can be: they were scheduled while a clock was ahead. A lease from
 * that time is shortened as if it were acquired now.
 * @param options.longestGapMs of the retry schedule
 * @param options.leaseMs of a dispatcher
 * @returns how many webhooks; when it is `batchRows` there may be more
 */
export async function clampRetries(
  db: Database,
  { longestGapMs, leaseMs }: { longestGapMs: number; leaseMs: number },
): Promise<number> {
  const far = (await db.now()) + Math.max(longestGapMs, leaseMs) + marginMs
  const queues = await db.all<{ webhook_id: string }>(
    sql`select webhook_id from webhook_queues
      where ${inList('lane', Object.values(laneNumber))} and due_at > ${far} and due_at < ${DUE_NEVER} limit ${batchRows}`,
  )
  if (queues.length === 0) return 0
  const ids = queues.map(({ webhook_id }) => webhook_id)
  await db.transaction(async (tx) => {
    await lockQueues(tx, ids)
    const now = await tx.now()
    await tx.run(sql`update deliveries set next_attempt_at = ${now}
      where ${inList('webhook_id', ids)} and status = 'pending' and next_attempt_at > ${far}`)
    const due = sql`case when lease_owner is null then ${now} else ${now + leaseMs} end`
    await tx.run(sql`update webhook_queues set due_at = ${due},
      lease_until = case when lease_owner is null then lease_until else ${now + leaseMs} end
      where ${inList('webhook_id', ids)} and due_at > ${far} and due_at < ${DUE_NEVER}`)
  })
  return queues.length
}

/** Tolerance for small differences between the clocks of the writing processes. */
const marginMs = 60_000
