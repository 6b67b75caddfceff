import type { OutboxEvent } from '#shared/domain/webhook/fan-out.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Row, Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'

/** An event that is held for a webhook. */
export type HeldEvent = {
  webhookId: string
  position: number
  eventId: string
  event: OutboxEvent['type']
  listId: string | null
  itemId: string | null
  requestId: string
  /** When it was held, on the database's clock. */
  heldAt: number
}

/** The held events of a webhook from one position up to, but not including, another. */
export type HeldRange = { webhookId: string; from: number; to: number }

export async function insertHeldEvents(tx: Transaction, events: readonly HeldEvent[]): Promise<void> {
  if (events.length > 0) await insertRows(tx, heldRows(events))
}

const heldRows = rowMapper<HeldEvent>('held_events', {
  webhook_id: ({ webhookId }) => webhookId,
  position: ({ position }) => position,
  event_id: ({ eventId }) => eventId,
  event: ({ event }) => event,
  list_id: ({ listId }) => listId,
  item_id: ({ itemId }) => itemId,
  request_id: ({ requestId }) => requestId,
  held_at: ({ heldAt }) => heldAt,
})

/** The held events of each range, the oldest first. */
export function readHeldEvents(tx: Transaction, ranges: readonly HeldRange[]): Promise<HeldEvent[][]> {
  return tx.pipeline(ranges.map((range) => () => readRange(tx, range)))
}

async function readRange(tx: Transaction, range: HeldRange): Promise<HeldEvent[]> {
  const rows = await tx.all(sql`select ${columns} from held_events where ${inRange(range)} order by position`)
  return rows.map(toHeldEvent)
}

export async function deleteHeldEvents(tx: Transaction, ranges: readonly HeldRange[]): Promise<void> {
  await tx.pipeline(ranges.map((range) => () => tx.run(sql`delete from held_events where ${inRange(range)}`)))
}

/** Bounded at both ends: from the beginning of a webhook, Postgres would scan deleted rows that are still in the index. */
const inRange = ({ webhookId, from, to }: HeldRange): Sql =>
  sql`webhook_id = ${webhookId} and position >= ${from} and position < ${to}`

const columns = raw('webhook_id, position, event_id, event, list_id, item_id, request_id, held_at')

function toHeldEvent(row: Row): HeldEvent {
  return {
    webhookId: toText(row.webhook_id),
    position: toNumber(row.position),
    eventId: toText(row.event_id),
    event: toText(row.event) as HeldEvent['event'],
    listId: toTextOrNull(row.list_id),
    itemId: toTextOrNull(row.item_id),
    requestId: toText(row.request_id),
    heldAt: toNumber(row.held_at),
  }
}
