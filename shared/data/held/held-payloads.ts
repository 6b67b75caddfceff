import { toNumber, toText } from '../columns.ts'
import type { Transaction } from '../database.ts'
import { raw, sql } from '../sql/sql.ts'
import { deleteInList, excluded, forUpdate, inList, onConflict, updateFrom, valuesTable } from '../sql/statements.ts'

// The payloads of held events are stored separately from those of deliveries, which fan-out, retention and the deletion of a webhook remove
// when no delivery needs them. A payload counts the webhooks that its event is held for, so that the last one can remove it without a
// search.

/** Copies the payloads of events that are held for webhooks from now on. The payloads are still in `event_payloads` then. */
export async function holdPayloads(tx: Transaction, held: readonly { eventId: string }[]): Promise<void> {
  if (held.length === 0) return
  const holders = valuesTable({ id: 'text', holders: 'int' }, [...countByEvent(held)])
  await tx.run(
    sql`insert into held_payloads (event_id, holders, body)
      select p.event_id, input.holders, p.body from ${holders} join event_payloads p on p.event_id = input.id
      where true ${onConflict(['event_id'], { holders: sql`held_payloads.holders + ${excluded('holders')}` })}`,
  )
}

/**
 * Releases the payloads of events that are no longer held for webhooks.
 * @param options.restored whether deliveries of these events need the payloads. Each payload is put back with a lock: a transaction that is
 *   about to remove it with the last other delivery either waits for this one and sees its delivery, or this one waits for it
 */
export async function releasePayloads(
  tx: Transaction,
  released: readonly { eventId: string }[],
  { restored }: { restored: boolean },
): Promise<void> {
  if (released.length === 0) return
  const counts = countByEvent(released)
  const ids = [...counts.keys()].sort()
  const locked = await tx.all(
    sql`select event_id, holders from held_payloads where ${inList('event_id', ids)} order by event_id ${forUpdate}`,
  )
  if (restored) {
    await tx.run(
      sql`insert into event_payloads (event_id, body) select event_id, body from held_payloads
        where ${inList('event_id', ids)} order by event_id
        ${onConflict(['event_id'], { body: excluded('body') })}`,
    )
  }
  const left = locked.map((row) => {
    const eventId = toText(row.event_id)
    return [eventId, toNumber(row.holders) - (counts.get(eventId) ?? 0)] as const
  })
  const unheld = left.filter(([, holders]) => holders <= 0).map(([eventId]) => eventId)
  const others = left.filter(([, holders]) => holders > 0)
  if (unheld.length > 0) await tx.run(deleteInList('held_payloads', 'event_id', unheld))
  if (others.length > 0) await tx.run(setHolders(others))
}

function setHolders(rows: readonly (readonly [eventId: string, holders: number])[]) {
  return updateFrom({
    table: 'held_payloads',
    set: { holders: raw('input.holders') },
    from: valuesTable({ id: 'text', holders: 'int' }, rows),
    where: sql`held_payloads.event_id = input.id`,
  })
}

function countByEvent(events: readonly { eventId: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { eventId } of events) counts.set(eventId, (counts.get(eventId) ?? 0) + 1)
  return counts
}
