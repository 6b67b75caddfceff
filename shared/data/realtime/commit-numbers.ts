import { byKey } from '#shared/json/by-key.ts'
import type { Sql } from '../dialect.ts'
import type { Step } from '../drivers/apply-writes.ts'
import { sql } from '../sql/sql.ts'
import { excluded, onConflict, valuesTable } from '../sql/statements.ts'

// Commits that change realtime lists are numbered, for each account from 1 on. The row of the account's number is locked until the
// commit, so numbers become visible in their order and without gaps: a reader that has read all up to a number has missed none.
// Other commits neither lock nor write these rows.

/** An event that streams receive. */
export type NumberedEvent = { id: string; accountId: string; createdAt: number }

/** Events in one statement, bounded because a statement has all its values in one text. */
const maxRows = 200

/**
 * The statements that give the events of one transaction the next number of their account, in their order. They lock the numbers of
 * the accounts: run them after the locks of accounts and before those of event counts.
 */
export function commitNumbers(events: readonly NumberedEvent[]): Sql[] {
  const accounts = [...Map.groupBy(events, ({ accountId }) => accountId)].sort(byKey)
  return accounts.flatMap(([accountId, own]) => [
    nextNumber(accountId, own.at(-1)?.id ?? ''),
    ...eventRows(accountId, own),
  ])
}

/** The same statements as a step of a commit; no step without such events. */
export function numbered(events: readonly NumberedEvent[]): Step[] {
  return events.length > 0 ? [{ run: commitNumbers(events) }] : []
}

function nextNumber(accountId: string, lastEventId: string): Sql {
  return sql`insert into account_commits (account_id, number, event_id) values (${accountId}, 1, ${lastEventId})
    ${onConflict(['account_id'], { number: sql`account_commits.number + 1`, event_id: excluded('event_id') })}`
}

function eventRows(accountId: string, events: readonly NumberedEvent[]): Sql[] {
  const rows = events.map(({ id, createdAt }, position) => [position, id, createdAt] as const)
  const parts = Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, n) =>
    rows.slice(n * maxRows, (n + 1) * maxRows),
  )
  return parts.map(
    (part) => sql`insert into realtime_events (account_id, number, position, event_id, created_at)
      select account_commits.account_id, account_commits.number, input.position, input.event_id, input.created_at
      from ${valuesTable({ position: 'int', event_id: 'text', created_at: 'int' }, part)} cross join account_commits
      where account_commits.account_id = ${accountId}`,
  )
}
