import { readRequests } from '#shared/data/accounts/request-hours.ts'
import { countDelivered, readFailures } from '#shared/data/deliveries/delivery-hours.ts'
import { countChanges, readListChanges } from '#shared/data/events/event-hours.ts'
import { countRuns, readRunCauses } from '#shared/data/flows/flow-run-hours.ts'
import { readWebhooks } from '#shared/data/webhooks/webhooks.ts'
import { type AccountStats, accountStats, lastHours } from '#shared/domain/hours.ts'
import type { StatsDeps } from './context.ts'

/** The most lists that are returned. */
const mostLists = 10

/** How much happened in an account in the last 24 hours. */
export async function getAccountStats({ db, now }: StatsDeps, accountId: string): Promise<AccountStats> {
  const hours = lastHours(now())
  const webhookIds = (await readWebhooks(db, accountId)).map(({ id }) => id)
  const [requests, changes, delivered, undelivered, ran, failed, failures, runCauses, lists] = await Promise.all([
    readRequests(db.long, accountId, hours),
    countChanges(db.long, accountId, hours),
    countDelivered(db.long, { webhookIds, status: 'succeeded' }, hours),
    countDelivered(db.long, { webhookIds, status: 'failed' }, hours),
    countRuns(db.long, { accountId, statuses: ['succeeded'] }, hours),
    countRuns(db.long, { accountId, statuses: ['failed', 'refused'] }, hours),
    readFailures(db.long, webhookIds, hours[0] ?? 0),
    readRunCauses(db.long, accountId, hours[0] ?? 0),
    readListChanges(db.long, accountId, mostLists),
  ])
  const counts = { requests, changes, delivered, undelivered, ran, failed }
  return accountStats(hours, { counts, failures, runCauses, lists })
}
