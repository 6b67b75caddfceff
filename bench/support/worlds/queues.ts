import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { until } from '../clock.ts'

/** Waits until every committed event has been fanned out to webhooks. */
export function untilOutboxIsEmpty(dataDir: string): Promise<void> {
  return untilZero(dataDir, { what: 'an empty outbox', query: 'select count(*) as left_over from outbox' })
}

/** Waits until no delivery is pending. */
export function untilNothingWaits(dataDir: string): Promise<void> {
  const query = 'select sum(waiting) as left_over from webhook_queues'
  return untilZero(dataDir, { what: 'the last outcome', query })
}

/** Waits until no attempt is open; one that has begun continues until its time-out. */
export function untilNothingHangs(dataDir: string): Promise<void> {
  const query = 'select count(*) as left_over from webhook_queues where attempt_delivery_id is not null'
  return untilZero(dataDir, { what: 'the last open attempt', query })
}

async function untilZero(dataDir: string, { what, query }: { what: string; query: string }): Promise<void> {
  const db = await openTestDatabase(dataDir, { readers: 1 })
  try {
    await until(async () => (await db.get<{ left_over: number }>(query))?.left_over === 0, { what })
  } finally {
    await db.close()
  }
}
