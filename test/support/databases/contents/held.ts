import type { Database } from '#shared/data/database.ts'

/** The webhooks whose held events differ from the count of their backlog, and the payloads whose number of holders is wrong. */
export async function wrongHeld(db: Database): Promise<unknown[]> {
  const backlogs = await db.all(
    `select * from (select b.webhook_id, b.first_position, b.next_position - b.first_position as held,
       (select count(*) from held_events e where e.webhook_id = b.webhook_id) as held_rows,
       (select min(position) from held_events e where e.webhook_id = b.webhook_id) as first_row,
       (select max(position) from held_events e where e.webhook_id = b.webhook_id) as last_row
     from held_backlogs b) as counted
     where held <> held_rows or (held > 0 and (first_row <> first_position or last_row <> first_position + held - 1))`,
  )
  const payloads = await db.all(
    `select * from (select p.event_id, p.holders,
       (select count(*) from held_events e where e.event_id = p.event_id) as held_rows from held_payloads p) as counted
     where holders <> held_rows`,
  )
  const others = await db.all(
    `select e.webhook_id, e.position from held_events e
     where not exists (select 1 from held_backlogs b where b.webhook_id = e.webhook_id)
       or not exists (select 1 from held_payloads p where p.event_id = e.event_id)`,
  )
  return [...backlogs, ...payloads, ...others]
}
