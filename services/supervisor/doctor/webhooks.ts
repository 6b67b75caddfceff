import type { Database } from '#shared/data/database.ts'
import { readWebhookTotals, type WebhookTotals } from '#shared/data/dispatch/webhook-totals.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { type Check, type CheckResult, note, ok } from './check.ts'
import { notChecked, onDatabase } from './on-database.ts'

/** Whether receivers get their deliveries: most problems here are on the receiver's side. */
export const webhooks: Check = {
  name: 'webhooks',
  run: ({ config }) =>
    onDatabase({ config }, (db) => checkStored(db, config.webhooks), { none: [none], unusable: () => [notChecked()] }),
}

const none = ok('there is no database yet')

async function checkStored(db: Database, limits: Limits): Promise<CheckResult[]> {
  const { version, state } = await schemaStatus(db)
  if (version === 0) return [none]
  if (state !== 'fits') return [note('not checked: this version does not support the schema', 'see above')]
  return checkWebhooks(await readWebhookTotals(db), limits)
}

/** The share of the bound on waiting deliveries or held events from which a webhook counts as near it. */
const nearBound = 0.8

type Limits = { maxWaiting: number; maxHeld: number }

export function checkWebhooks(totals: WebhookTotals, { maxWaiting, maxHeld }: Limits): CheckResult[] {
  const { waiting, mostWaiting, behind, held, mostHeld, missing, missed, disabled } = totals
  const found: CheckResult[] = []
  if (disabled > 0) {
    const message = `${counted(disabled)} disabled because deliveries failed, and ${disabled === 1 ? 'gets' : 'get'} no events`
    found.push(note(message, 'repair the receiver, and activate the webhook again'))
  }
  if (mostWaiting >= nearBound * maxWaiting) {
    const then = maxHeld === 0 ? 'it misses events' : 'events are held for it'
    const message = `${mostWaiting} deliveries wait for one webhook; from ${maxWaiting} on ${then}`
    found.push(note(message, repair))
  }
  if (behind > 0) {
    found.push(note(`${counted(behind)} behind: ${held} events are held until deliveries are sent`, repair))
  }
  if (mostHeld > 0 && mostHeld >= nearBound * maxHeld) {
    found.push(note(`${mostHeld} events are held for one webhook; from ${maxHeld} on it misses events`, repair))
  }
  if (missing > 0) {
    const message = `${counted(missing)} active and missed ${missed} events, because too many were held`
    found.push(
      note(message, 'read the missed events from the event log; POST /webhooks/{id}/missed/clear clears this note'),
    )
  }
  return found.length > 0 ? found : [ok(`${waiting} deliveries wait`)]
}

const repair = 'repair the receiver, or make it respond faster'

const counted = (count: number) => (count === 1 ? '1 webhook is' : `${count} webhooks are`)
