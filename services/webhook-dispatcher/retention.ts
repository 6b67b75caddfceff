import type { Database } from '#shared/data/database.ts'
import { releaseLease, takeLease } from '#shared/data/leases.ts'
import { deleteSettledDeliveries } from '#shared/data/retention.ts'
import type { Logger } from '#shared/log/logger.ts'

const everyMs = 10 * 60_000
const betweenBatchesMs = 50
const dayMs = 24 * 60 * 60_000

/**
 * Deletes deliveries some days after they settled, in small batches, in one dispatcher at a time.
 * @returns stops it
 */
export function startRetention(options: { db: Database; log: Logger; owner: string; days: number }): () => void {
  const { db, log, owner, days } = options
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  async function round(): Promise<void> {
    const lease = await takeLease(db, { name: 'delivery-retention', owner, ms: everyMs })
    if (!lease) return
    const settledBefore = (await db.now()) - days * dayMs
    let deleted = 0
    for (let more = true; more && !stopped && performance.now() < lease.safeUntil; ) {
      const batch = await deleteSettledDeliveries(db, settledBefore)
      deleted += batch.deleted
      more = batch.more
      await new Promise((resolve) => setTimeout(resolve, betweenBatchesMs))
    }
    await releaseLease(db, lease)
    if (deleted > 0) log.info({ deleted, days }, 'old deliveries deleted')
  }

  async function schedule(): Promise<void> {
    await round().catch((error) => log.warn({ err: error }, 'retention failed; it is tried again'))
    if (!stopped) timer = setTimeout(schedule, everyMs)
  }

  timer = setTimeout(schedule, 5_000)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
