import type { ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import type { Claim } from '#shared/data/dispatch/claims.ts'
import { activateWebhook, deactivateWebhook } from '#shared/data/webhooks/webhook-activity.ts'
import { beginListenerEpoch, lockWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { wrongEventCounts } from '../databases/contents/events.ts'
import { wrongHeld } from '../databases/contents/held.ts'
import { makeList, makeWebhook, testId, wrongWaitingCounts } from '../databases/contents/rows.ts'
import { testDatabase } from '../databases/database.ts'
import { makeRival, type RivalOptions } from './rivals.ts'

/** A database with an account, a list and webhooks. */
export async function worldOf(t: ExecutionContext, webhooks = 1) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const webhookIds: string[] = []
  for (let n = 0; n < webhooks; n++) webhookIds.push(await makeWebhook(db, at))
  const [webhookId = ''] = webhookIds
  return { db, at, webhookId, webhookIds, key: { accountId: at.accountId, webhookId } }
}

/** The most deliveries that may wait for a webhook. */
export const bound = { maxWaiting: 10 }

/** Lets a dispatcher do all pending work. @returns its attempts */
export async function deliver(db: Database, options: RivalOptions = {}): Promise<Claim[]> {
  const rival = makeRival(db, testId(), { ...bound, ...options })
  await rival.work(() => false)
  return rival.begun
}

/** The events of a webhook's attempts, in their order. */
export const eventsOf = (claims: readonly Claim[], webhookId: string) =>
  claims.filter((claim) => claim.webhookId === webhookId).map(({ eventId }) => eventId)

export const count = async (db: Database, what: string) =>
  Number((await db.get<{ n: number }>(`select count(*) as n from ${what}`))?.n)

/** The entries of the event log about webhooks. */
export const entries = async (db: Database) =>
  (await db.all<{ type: string }>("select type from events where stream = 'webhook' order by created_at, id")).map(
    ({ type }) => type,
  )

/** Counters equal those of the rows. */
export async function isInOrder(t: ExecutionContext, db: Database): Promise<void> {
  t.deepEqual(await wrongHeld(db), [])
  t.deepEqual(await wrongWaitingCounts(db), [])
  t.deepEqual(await wrongEventCounts(db), [])
}

/** Everything was sent: no event is held, and every payload has a delivery. */
export async function leavesNothing(t: ExecutionContext, db: Database): Promise<void> {
  await isInOrder(t, db)
  for (const table of ['held_events', 'held_payloads', 'held_backlogs', 'outbox']) t.is(await count(db, table), 0)
  t.is(await count(db, 'event_payloads'), await count(db, '(select distinct event_id from deliveries) as events'))
}

export async function deactivate(db: Database, key: WebhookKey): Promise<void> {
  await db.transaction(async (tx) => {
    await lockWebhook(tx, key)
    await deactivateWebhook(tx, { ...key, reason: 'deactivated', now: 1 })
  })
}

export async function activate(db: Database, key: WebhookKey): Promise<void> {
  await db.transaction(async (tx) => {
    const { epoch } = await beginListenerEpoch(tx, key.accountId)
    await lockWebhook(tx, key)
    await activateWebhook(tx, { ...key, epoch })
  })
}
