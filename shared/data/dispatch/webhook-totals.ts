import { DUE_FIRST } from '#shared/domain/limits.ts'
import { deactivatedReason } from '#shared/domain/webhook/fields.ts'
import { toNumber, toNumberOrNull } from '../columns.ts'
import type { Database } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { databaseClock } from '../sql/statements.ts'

/** The state of the webhooks of the whole installation, and of their deliveries. */
export type WebhookTotals = {
  /** Deliveries that wait, also for disabled webhooks, and the most that wait for one that is active. */
  waiting: number
  mostWaiting: number
  /** For how long the delivery that is due longest has been due, of active webhooks; 0: none is due. */
  overdueMs: number
  /** Webhooks for which events are held, also disabled ones, and how many events. */
  behind: number
  held: number
  /** The most that are held for one that is active. */
  mostHeld: number
  /** For how long the oldest has been held; 0: none is. */
  heldMs: number
  /** Active webhooks whose last delivery that ended failed for good, and those that have missed events since their activation. */
  failing: number
  missing: number
  /** The events that these have missed. */
  missed: number
  /** Webhooks that too many failures have disabled. */
  disabled: number
}

type TotalsColumn =
  | ('waiting' | 'most' | 'due_at' | 'failing' | 'missing' | 'missed' | 'disabled' | 'now')
  | ('behind' | 'held' | 'most_held' | 'oldest_held')

/**
 * Reads one row of each webhook, and looks up at most one waiting delivery and one held event of each, however many there are. A delivery
 * that waits for its retry is not due, so a receiver that is down does not make any overdue.
 */
export async function readWebhookTotals({ long }: Pick<Database, 'long'>): Promise<WebhookTotals> {
  const row = await long.get<Record<TotalsColumn, unknown>>(
    sql`select sum(q.waiting) as waiting, max(${ofActive(sql`q.waiting`)}) as most, min(${ofActive(firstDue)}) as due_at,
      count(${ofActive(sql`case when q.consecutive_failures > 0 then 1 end`)}) as failing,
      count(${ofActive(sql`case when q.missed > 0 then 1 end`)}) as missing, sum(${ofActive(sql`q.missed`)}) as missed,
      count(case when ${held} > 0 then 1 end) as behind, sum(${held}) as held, max(${ofActive(held)}) as most_held,
      min(oldest.held_at) as oldest_held,
      count(case when w.activated = 0 and w.disabled_reason <> ${deactivatedReason} then 1 end) as disabled,
      (select ${databaseClock}) as now
    from webhook_queues q join webhooks w on w.id = q.webhook_id left join held_backlogs b on b.webhook_id = w.id
    left join held_events oldest on oldest.webhook_id = b.webhook_id and oldest.position = b.first_position`,
  )
  const heldAt = toNumberOrNull(row?.oldest_held)
  const dueAt = toNumberOrNull(row?.due_at)
  return {
    waiting: toNumber(row?.waiting ?? 0),
    mostWaiting: toNumber(row?.most ?? 0),
    overdueMs: dueAt === null ? 0 : Math.max(0, toNumber(row?.now) - dueAt),
    behind: toNumber(row?.behind ?? 0),
    held: toNumber(row?.held ?? 0),
    mostHeld: toNumber(row?.most_held ?? 0),
    heldMs: heldAt === null ? 0 : Math.max(0, toNumber(row?.now) - heldAt),
    failing: toNumber(row?.failing ?? 0),
    missing: toNumber(row?.missing ?? 0),
    missed: toNumber(row?.missed ?? 0),
    disabled: toNumber(row?.disabled ?? 0),
  }
}

const held = sql`(b.next_position - b.first_position)`
const ofActive = (value: Sql) => sql`case when w.activated = 1 then ${value} end`

// The same order as in `readNext`; a ping is due before all others, and is not counted as waiting.
const firstDue = sql`case when q.waiting > 0 then (select d.next_attempt_at from deliveries d
  where d.webhook_id = q.webhook_id and d.status = 'pending' and d.next_attempt_at > ${DUE_FIRST}
  order by d.webhook_id, d.status, d.next_attempt_at, d.id limit 1) end`
