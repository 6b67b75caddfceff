import type { Backlog, Backlogs } from '#shared/domain/webhook/held.ts'
import { toBoolean, toNumber, toText } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { rowMapper, upsertRows } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { deleteInList, inList } from '../sql/statements.ts'

// A webhook that is behind has a row of `held_backlogs`: the positions of its held events, without gaps. Writers hold the lock of the
// webhook's queue, or, if the webhook was deleted, that of the row itself.

const selected = raw('webhook_id, account_id, first_position, next_position, missing')

/** The backlogs of those of these webhooks that are behind. The caller has locked their queues. */
export async function readBacklogs(tx: Queries, webhookIds: readonly string[]): Promise<Backlogs> {
  if (webhookIds.length === 0) return new Map()
  const rows = await tx.all(sql`select ${selected} from held_backlogs where ${inList('webhook_id', webhookIds)}`)
  return new Map(rows.map((row) => [toText(row.webhook_id), toBacklog(row)]))
}

/** Writes backlogs, and removes the rows of webhooks that are no longer behind. */
export async function writeBacklogs(
  tx: Transaction,
  { kept, removed }: { kept: readonly Backlog[]; removed: readonly string[] },
): Promise<void> {
  if (kept.length > 0) await upsertRows(tx, backlogRows(kept), { key: ['webhook_id'], changed })
  if (removed.length > 0) await tx.run(deleteInList('held_backlogs', 'webhook_id', removed))
}

const changed = {
  first_position: ({ first }: Backlog) => first,
  next_position: ({ next }: Backlog) => next,
  missing: ({ missing }: Backlog) => Number(missing),
}

const backlogRows = rowMapper<Backlog>('held_backlogs', {
  webhook_id: ({ webhookId }) => webhookId,
  account_id: ({ accountId }) => accountId,
  ...changed,
})

export function toBacklog(row: Row): Backlog {
  return {
    webhookId: toText(row.webhook_id),
    accountId: toText(row.account_id),
    first: toNumber(row.first_position),
    next: toNumber(row.next_position),
    missing: toBoolean(row.missing),
  }
}

/** The columns that `toBacklog` reads, of some rows of `held_backlogs`. */
export const selectBacklogs = (which: Sql): Sql => sql`select ${selected} from held_backlogs ${which}`

/**
 * Starts another episode, so that the events that a webhook misses from now on are counted separately. The caller has locked its queue.
 * @returns whether it is behind
 */
export async function restartBacklog(tx: Transaction, webhookId: string): Promise<boolean> {
  const backlogs = await readBacklogs(tx, [webhookId])
  await writeBacklogs(tx, {
    kept: [...backlogs.values()].map((backlog) => ({ ...backlog, missing: false })),
    removed: [],
  })
  return backlogs.size > 0
}
