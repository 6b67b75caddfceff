import type { OutboxEvent } from '#shared/domain/webhook/fan-out.ts'
import type { Transaction } from '../../database.ts'
import type { Sql } from '../../dialect.ts'
import { deleteHeldEvents, type HeldEvent, type HeldRange, readHeldEvents } from '../../held/held-events.ts'
import { releasePayloads } from '../../held/held-payloads.ts'
import { insertRows, insertSelect, rowMapper } from '../../sql/insert-rows.ts'

/** A delivery that waits from now on. */
export type NewDelivery = {
  id: string
  webhookId: string
  event: Pick<OutboxEvent, 'accountId' | 'eventId' | 'type' | 'listId' | 'itemId' | 'requestId'>
  createdAt: number
  dueAt: number
}

export async function insertDeliveryRows(tx: Transaction, deliveries: readonly NewDelivery[]): Promise<void> {
  await insertRows(tx, deliveryRows(deliveries))
}

/** Inserts a few deliveries. */
export function insertDeliveries(deliveries: readonly NewDelivery[]): Sql {
  return insertSelect(deliveryRows(deliveries))
}

const deliveryRows = rowMapper<NewDelivery>('deliveries', {
  id: ({ id }) => id,
  account_id: ({ event }) => event.accountId,
  webhook_id: ({ webhookId }) => webhookId,
  event_id: ({ event }) => event.eventId,
  event: ({ event }) => event.type,
  list_id: ({ event }) => event.listId,
  item_id: ({ event }) => event.itemId,
  request_id: ({ event }) => event.requestId,
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ createdAt }) => createdAt,
  status: () => 'pending',
  next_attempt_at: ({ dueAt }) => dueAt,
})

/** The deliveries that held events of a webhook become: one for each, in their order. */
export type GivenEvents = HeldRange & {
  accountId: string
  deliveries: readonly Pick<NewDelivery, 'id' | 'createdAt' | 'dueAt'>[]
}

/**
 * Turns held events into deliveries. The caller has locked the queues, and writes them and the backlogs. Payloads are locked
 * here, so call this once per transaction, before it counts events.
 */
export async function giveHeldEvents(tx: Transaction, given: readonly GivenEvents[]): Promise<void> {
  if (given.length === 0) return
  const held = await readHeldEvents(tx, given)
  await releasePayloads(tx, held.flat(), { restored: true })
  await insertDeliveryRows(
    tx,
    given.flatMap((some, n) => toDeliveries(some, held[n] ?? [])),
  )
  await deleteHeldEvents(tx, given)
}

function toDeliveries({ accountId, deliveries }: GivenEvents, held: readonly HeldEvent[]): NewDelivery[] {
  return held.flatMap(({ webhookId, event: type, ...event }, n) => {
    const delivery = deliveries[n]
    return delivery ? [{ ...delivery, webhookId, event: { ...event, accountId, type } }] : []
  })
}
