import type { FanOut } from '#shared/domain/webhook/fan-out.ts'
import { type Backlog, type Backlogs, backlogAfter, emptyBacklog, type Giving } from '#shared/domain/webhook/held.ts'
import type { Transaction } from '../database.ts'
import { insertEvents } from '../events/events.ts'
import { writeBacklogs } from '../held/backlogs.ts'
import type { HeldEvent } from '../held/held-events.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/** News to the owner of a webhook and the operator: it falls behind, misses events, or has caught up. */
export type BacklogNews = {
  news: 'behind' | 'missing' | 'caughtUp'
  webhookId: string
  accountId: string
  /** How many events were held, or missed, at once. */
  events: number
}

/** The changes of a cycle to held events. */
export type BacklogChanges = { kept: Backlog[]; removed: string[]; news: BacklogNews[] }

/** The backlog changes of events that are given to webhooks and held for them, and the news to report. */
export function planBacklogs(
  giving: readonly Giving[],
  fanOut: Pick<FanOut, 'queues'>,
  { backlogs, now }: { backlogs: Backlogs; now: number },
): BacklogChanges {
  const changed = giving.filter(({ count, caughtUp }) => count > 0 || caughtUp)
  const after = new Map<string, Backlog | null>(changed.map((one) => [one.backlog.webhookId, backlogAfter(one)]))
  const news = giving.filter(({ caughtUp }) => caughtUp).map(({ backlog }) => newsOf('caughtUp', backlog, 0))
  for (const queue of fanOut.queues) {
    const { webhookId, held, missed, behindBegan, missingBegan } = queue
    if (behindBegan) news.push(newsOf('behind', queue, held))
    if (missingBegan) news.push(newsOf('missing', queue, missed))
    const isGiven = after.has(webhookId)
    const before =
      (isGiven ? after.get(webhookId) : backlogs.get(webhookId)) ?? (held > 0 ? emptyBacklog(queue, now) : null)
    if (before && held + missed > 0)
      after.set(webhookId, { ...before, next: before.next + held, missing: before.missing || missed > 0 })
  }
  return {
    kept: [...after.values()].filter((backlog) => backlog !== null),
    removed: [...after].flatMap(([webhookId, backlog]) => (backlog === null ? [webhookId] : [])),
    news,
  }
}

function newsOf(
  news: BacklogNews['news'],
  { webhookId, accountId }: Pick<Backlog, 'webhookId' | 'accountId'>,
  events: number,
): BacklogNews {
  return { news, webhookId, accountId, events }
}

/** The rows of events that a fan-out holds, at consecutive positions. */
export function toHeldEvents(held: FanOut['held'], kept: readonly Backlog[], heldAt: number): HeldEvent[] {
  const counts = Map.groupBy(held, ({ webhookId }) => webhookId)
  const next = new Map(
    kept.map((backlog) => [backlog.webhookId, backlog.next - (counts.get(backlog.webhookId)?.length ?? 0)]),
  )
  return held.map(({ webhookId, event: { eventId, type, listId, itemId, requestId } }) => {
    const position = next.get(webhookId) ?? 0
    next.set(webhookId, position + 1)
    return { webhookId, position, eventId, event: type, listId, itemId, requestId, heldAt }
  })
}

const entryTypes = {
  behind: 'webhook-behind',
  missing: 'webhook-backlog-full',
  caughtUp: 'webhook-caught-up',
} as const satisfies Record<BacklogNews['news'], string>

/** Writes the backlogs, and the entries of the event log. The caller has locked the queues. */
export async function writeBacklogChanges(
  tx: Transaction,
  { news, ...backlogs }: BacklogChanges,
  { now, newId }: { now: number; newId(at: number): string },
): Promise<void> {
  await writeBacklogs(tx, backlogs)
  await insertEvents(
    tx,
    news.map(({ news: about, webhookId, accountId }) => ({
      id: newId(now),
      accountId,
      createdAt: now,
      stream: 'webhook',
      type: entryTypes[about],
      modelId: webhookId,
      listId: null,
      actor: null,
      snapshot: null,
    })),
  )
}

/** News, with the URLs of the webhooks. */
export type ToldBacklogNews = BacklogNews & { url: string }

export async function withUrls(tx: Transaction, news: readonly BacklogNews[]): Promise<ToldBacklogNews[]> {
  if (news.length === 0) return []
  const ids = [...new Set(news.map(({ webhookId }) => webhookId))]
  const rows = await tx.all<{ id: string; url: string }>(sql`select id, url from webhooks where ${inList('id', ids)}`)
  const urls = new Map(rows.map(({ id, url }) => [id, url]))
  return news.flatMap((one) => {
    const url = urls.get(one.webhookId)
    return url === undefined ? [] : [{ ...one, url }]
  })
}
