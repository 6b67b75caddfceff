import type { Database } from '#shared/data/database.ts'
import { applyWrites } from '#shared/data/drivers/apply-writes.ts'
import { readEventCounts } from '#shared/data/events/event-counts.ts'
import { insertEvents, type LoggedEvent } from '#shared/data/events/events.ts'
import { itemWrites } from '#shared/data/items/commit/item-writes.ts'
import { itemChange, testId, testItem } from './rows.ts'

type ListKey = { accountId: string; listId: string }

/** The events of an item, a millisecond apart. */
export type ItemStory = {
  itemId?: string
  /** The revision before the first step, and whether the item exists then. */
  from?: number
  live?: boolean
  steps: readonly ('created' | 'updated' | 'deleted' | 'restored')[]
  /** The time of the first step. */
  at?: number
  snapshot?: string
}

/** Writes the events of an item with its changes, as the committer does. @returns the item's id and those of its events */
export async function logStory(
  db: Database,
  list: ListKey,
  { itemId = testId(), from = 0, live = from > 0, steps, at = Date.now(), snapshot = '{}' }: ItemStory,
): Promise<{ itemId: string; eventIds: string[] }> {
  const eventIds: string[] = []
  let exists = live
  for (const [n, step] of steps.entries()) {
    const revision = from + n + 1
    const expectedRevision = exists ? revision - 1 : null
    const change = itemChange(list, { itemId, expectedRevision })
    const after = step === 'deleted' ? null : testItem(list, itemId, revision)
    const version = after?.version ?? testItem(list, itemId, revision - 1).version
    const event = { ...change.event, type: `item-${step}`, createdAt: at + n, version, snapshot }
    await applyWrites(db, itemWrites([{ ...change, event, after }]), { subjects: 1 })
    exists = after !== null
    eventIds.push(event.id)
  }
  return { itemId, eventIds }
}

/** Writes an entry for a resource other than an item. */
export async function logEvent(
  db: Database,
  event: Pick<LoggedEvent, 'accountId' | 'type'> & Partial<LoggedEvent>,
): Promise<LoggedEvent> {
  const logged: LoggedEvent = {
    id: testId(),
    createdAt: Date.now(),
    stream: 'webhook',
    modelId: testId(),
    listId: null,
    actor: null,
    snapshot: null,
    ...event,
  }
  await db.transaction((tx) => insertEvents(tx, [logged]))
  return logged
}

/** The sums of the counters of all accounts, in the order of accounts and types. */
export async function allEventCounts(db: Database): Promise<{ type: string; entries: number }[]> {
  const accounts = await db.all<{ account_id: string }>('select distinct account_id from event_count_shards order by 1')
  return (await Promise.all(accounts.map((account) => readEventCounts(db, account.account_id)))).flat()
}

/** The accounts and types whose counters differ from the number of their entries; always empty in a correct database. */
export async function wrongEventCounts(db: Database): Promise<unknown[]> {
  return db.all(
    `select account_id, type, sum(entries) as missing from (
       select account_id, type, -entries as entries from event_count_shards
       union all select account_id, type, -entries from event_counts
       union all select account_id, type, 1 from events) as counted
     group by account_id, type having sum(entries) <> 0`,
  )
}
