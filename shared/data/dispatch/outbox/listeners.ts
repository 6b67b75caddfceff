import { LRUCache } from 'lru-cache'
import type { WebhookListener } from '#shared/domain/webhook/fan-out.ts'
import { countFilters, type ItemFilters, itemFilters, type SavedWhere } from '#shared/domain/webhook/where.ts'
import { toJson } from '../../columns.ts'
import type { Queries } from '../../database.ts'
import { sql } from '../../sql/sql.ts'
import { inList } from '../../sql/statements.ts'

/** An account whose events are read, with the listener epoch that was read with them. */
export type AccountEpoch = { accountId: string; epoch: number }

/**
 * The webhooks of accounts as fan-out sees them, active or not. They are kept as long as the account's listener epoch is the one
 * that they were read with: adding or activating a webhook, or changing its settings, begins another epoch. Whether a webhook
 * still exists and is active is read with its queue row.
 */
export type Listeners = {
  read(db: Queries, accounts: readonly AccountEpoch[]): Promise<WebhookListener[]>
}

/** The maximum number of webhooks and filters that are kept, for all accounts together. */
const maxKept = 10_000
/** Limited, because an epoch begins a second time if a database that takes over has lost its last commits. */
const longestKeptMs = 60_000

type Kept = { epoch: number; webhooks: WebhookListener[]; filters: number }

export function createListeners(): Listeners {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxKept,
    ttl: longestKeptMs,
    sizeCalculation: ({ webhooks, filters }) => 1 + webhooks.length + filters,
  })
  return {
    async read(db, accounts) {
      const current = accounts.flatMap(({ accountId, epoch }) => {
        const found = kept.get(accountId)
        return found?.epoch === epoch ? [[accountId, found] as const] : []
      })
      const known = new Map(current)
      const unknown = accounts.filter(({ accountId }) => !known.has(accountId)).map(({ accountId }) => accountId)
      for (const [accountId, found] of await readListeners(db, unknown)) {
        known.set(accountId, found)
        kept.set(accountId, found)
      }
      return [...known.values()].flatMap(({ webhooks }) => webhooks)
    },
  }
}

type ListenerRow = { account_id: string; listener_epoch: number } & (
  | { id: string; events: string; list_ids: string; active_epoch: number; filters: string | null }
  | { id: null }
)

/** One statement reads webhooks and epoch, so that they belong together. */
async function readListeners(db: Queries, accountIds: readonly string[]): Promise<Map<string, Kept>> {
  const found = new Map<string, Kept>()
  if (accountIds.length === 0) return found
  const rows = await db.all<ListenerRow>(
    sql`select a.id as account_id, a.listener_epoch, w.id, w.events, w.list_ids, w.active_epoch, w.filters
      from accounts a left join webhooks w on w.account_id = a.id where ${inList('a.id', accountIds)} order by w.id`,
  )
  for (const row of rows) {
    const account = found.get(row.account_id) ?? { epoch: row.listener_epoch, webhooks: [], filters: 0 }
    found.set(row.account_id, account)
    if (row.id === null) continue
    account.webhooks.push({
      webhookId: row.id,
      accountId: row.account_id,
      activeEpoch: row.active_epoch,
      events: toJson(row.events),
      listIds: toJson(row.list_ids),
      ...(row.filters !== null && { filters: readFilters(row.filters, account) }),
    })
  }
  return found
}

function readFilters(text: string, account: Kept): ItemFilters {
  const where = toJson<SavedWhere>(text)
  account.filters += countFilters(Object.values(where).flat())
  return itemFilters(where)
}
