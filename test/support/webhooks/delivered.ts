import type { ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { until } from '../assertions/until.ts'
import { wrongHeld } from '../databases/contents/held.ts'
import { wrongWaitingCounts } from '../databases/contents/rows.ts'
import type { ReceivedRequest } from '../receivers/receiver.ts'
import { endedAttempts } from './ended-attempts.ts'
import { receivedBy, type Scene, type SceneWebhook } from './scene.ts'
import { verifyServiceSignature } from './verify-signature.ts'

/**
 * Waits until nothing of the scene's account is left to send, then checks the promises of the service: every acknowledged
 * creation exists; every creation, acknowledged or not, has exactly one delivery per webhook, which succeeded and was
 * received with its event id and a valid signature, and never more often than attempts were counted; every queue's counters
 * equal its rows.
 */
export async function everythingIsDelivered(
  t: ExecutionContext,
  { db, webhooks, listd }: Scene,
  { acknowledged, withinMs = 120_000 }: { acknowledged: readonly string[]; withinMs?: number },
): Promise<void> {
  const { accountId } = listd.credentials
  await untilSent(t, { db, accountId, withinMs })
  const creations = await readCreations(db, accountId)
  const there = new Set(creations.map(({ itemId }) => itemId))
  t.deepEqual(await wrongWaitingCounts(db), [])
  t.deepEqual(await wrongHeld(db), [])
  t.deepEqual(acknowledged.filter((itemId) => !there.has(itemId)).slice(0, 10), [], 'acknowledged and lost')
  for (const webhook of webhooks) {
    const errors = await errorsOfWebhook(webhook, { db, creations })
    t.deepEqual(errors.slice(0, 10), [], `${errors.length} errors of ${webhook.path}`)
  }
}

/** Waits until an account has nothing left to send; if this takes too long, the test fails with details that help to find the reason. */
export async function untilSent(
  t: ExecutionContext,
  { db, accountId, withinMs = 120_000 }: { db: Database; accountId: string; withinMs?: number },
): Promise<void> {
  const look = async () => (await countLeft(db, accountId)) === 0
  await until(look, { withinMs, what: 'everything to be delivered' }).catch(async (error) =>
    t.fail(`${error.message}\n${await describeLeft(db)}`),
  )
}

async function countLeft(db: Database, accountId: string): Promise<number> {
  const row = await db.get<{ n: number }>(
    `select (select count(*) from outbox where account_id = ?)
       + (select count(*) from deliveries where account_id = ? and status = 'pending')
       + coalesce((select sum(next_position - first_position) from held_backlogs where account_id = ?), 0) as n`,
    [accountId, accountId, accountId],
  )
  return Number(row?.n ?? 0)
}

/** State that helps to find the reason. */
async function describeLeft(db: Database): Promise<string> {
  const left = {
    now: Date.now(),
    outbox: await db.get('select count(*) as count, min(created_at) as oldest from outbox'),
    queues: await db.all('select * from webhook_queues where waiting > 0 limit 3'),
    backlogs: await db.all('select * from held_backlogs limit 3'),
    deliveries: await db.all(
      'select status, count(*) as count, sum(attempts) as attempts from deliveries group by status',
    ),
    pending: await db.all("select * from deliveries where status = 'pending' order by next_attempt_at limit 3"),
  }
  return Object.entries(left)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n')
}

type Creation = { eventId: string; itemId: string }

/** All creations of an account's items in the event log. */
function readCreations(db: Database, accountId: string): Promise<Creation[]> {
  return db.all(
    `select id as "eventId", model_id as "itemId" from events where type = 'item-created' and account_id = ?`,
    [accountId],
  )
}

type Delivery = {
  id: string
  eventId: string
  itemId: string
  status: string
  attempts: number
  logged: number
  succeeded: number
}

async function errorsOfWebhook(
  webhook: SceneWebhook,
  { db, creations }: { db: Database; creations: readonly Creation[] },
): Promise<string[]> {
  const deliveries = Map.groupBy(await readDeliveries(db, webhook.id), ({ eventId }) => eventId)
  const received = Map.groupBy(receivedBy(webhook), ({ headers }) => headers['x-service-delivery'] ?? '')
  return creations.flatMap((creation) => {
    const [delivery, ...others] = deliveries.get(creation.eventId) ?? []
    if (!delivery) return [`no delivery of event ${creation.eventId}`]
    if (others.length > 0) return [`${others.length + 1} deliveries of event ${creation.eventId}`]
    return errorsOfDelivery(delivery, { creation, webhook, received: received.get(delivery.id) ?? [] })
  })
}

function readDeliveries(db: Database, webhookId: string): Promise<Delivery[]> {
  return db.all(
    `select d.id, d.event_id as "eventId", d.item_id as "itemId", d.status, d.attempts, count(a.number) as logged,
       sum(case when a.status between 200 and 299 and a.error is null then 1 else 0 end) as succeeded
     from deliveries d left join ${endedAttempts} a on a.delivery_id = d.id where d.webhook_id = ? group by d.id`,
    [webhookId],
  )
}

function errorsOfDelivery(
  { id, itemId, status, attempts, logged, succeeded }: Delivery,
  { creation, webhook, received }: { creation: Creation; webhook: SceneWebhook; received: ReceivedRequest[] },
): string[] {
  const promises = {
    'is not of its item': itemId === creation.itemId,
    'did not succeed once': status === 'succeeded' && succeeded === 1,
    'has another number of attempts than its log': attempts === logged,
    'was not received': received.length > 0,
    'was received more often than it was sent': received.length <= attempts,
    'was received with other contents': received.every((request) => carries(request, creation, webhook.secret)),
  }
  return Object.entries(promises).flatMap(([error, kept]) => (kept ? [] : [`delivery ${id} ${error}`]))
}

function carries(request: ReceivedRequest, { eventId, itemId }: Creation, secret: string): boolean {
  const payload = Object(verifyServiceSignature(request, secret))
  return payload.id === eventId && payload.data.item.id === itemId && request.headers['webhook-id'] === eventId
}
