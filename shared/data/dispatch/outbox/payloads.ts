import type { Queries, Transaction } from '../../database.ts'
import { insertRows, rowMapper } from '../../sql/insert-rows.ts'
import { sql } from '../../sql/sql.ts'
import { deleteInList, forUpdate, inList, valuesTable } from '../../sql/statements.ts'

/** The payload of an event: the exact text that webhooks are sent. */
type Payload = { eventId: string; body: string }

export async function insertPayloads(tx: Transaction, payloads: readonly Payload[]): Promise<void> {
  await insertRows(tx, payloadRows(payloads))
}

export const payloadRows = rowMapper<Payload>('event_payloads', {
  event_id: ({ eventId }) => eventId,
  body: ({ body }) => body,
})

/** The payloads of events, by event. */
export async function readPayloads(db: Queries, eventIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.all<{ event_id: string; body: string }>(
    sql`select event_id, body from event_payloads where ${inList('event_id', eventIds)}`,
  )
  return new Map(rows.map(({ event_id, body }) => [event_id, body]))
}

/** Deletes the payloads of events that no delivery refers to. */
export async function removePayloads(tx: Queries, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await tx.run(deleteInList('event_payloads', 'event_id', eventIds))
}

/**
 * Deletes the payloads of those events that are not in the outbox and that no delivery of their account refers to any more;
 * the caller has just removed deliveries of them. The payloads are locked before their use is checked: when two transactions
 * remove an event's last two deliveries at once, the second sees what the first one removed.
 */
export async function removeUnusedPayloads(
  tx: Transaction,
  events: readonly { eventId: string; accountId: string }[],
): Promise<void> {
  const accounts = new Map(events.map(({ eventId, accountId }) => [eventId, accountId]))
  const locked = await tx.all<{ event_id: string }>(
    sql`select event_id from event_payloads where ${inList('event_id', [...accounts.keys()].sort())}
      order by event_id ${forUpdate}`,
  )
  if (locked.length === 0) return
  const rows = locked.map(({ event_id }) => [event_id, accounts.get(event_id)])
  // One look-up per webhook of the account instead of an index on event_id that every delivery would pay for.
  const unused = await tx.all<{ id: string }>(
    sql`select input.id from ${valuesTable({ id: 'text', account: 'text' }, rows)}
      where not exists (select 1 from outbox o where o.event_id = input.id)
      and not exists (select 1 from webhooks w join deliveries d on d.webhook_id = w.id and d.event_id = input.id
        where w.account_id = input.account)`,
  )
  await removePayloads(
    tx,
    unused.map(({ id }) => id),
  )
}
