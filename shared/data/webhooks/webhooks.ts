import { namesIn } from '#shared/domain/fields/values.ts'
import { DUE_NEVER, maxCounted } from '#shared/domain/limits.ts'
import { type Webhook, webhookFields } from '#shared/domain/webhook/fields.ts'
import { type SavedWhere, shownWhere } from '#shared/domain/webhook/where.ts'
import { toJson, toNumber, toText } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { lockQueues } from '../dispatch/queue-state.ts'
import { restartBacklog } from '../held/backlogs.ts'
import { readPathNames } from '../lists/lists.ts'
import { type Columns, insertRows, rowMapper } from '../sql/insert-rows.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { assignments } from '../sql/table.ts'
import { queueFields, rowFields, webhookTable } from './columns.ts'

/** A webhook, and the account it must belong to. */
export type WebhookKey = { accountId: string; webhookId: string }

/** All webhooks of an account; a price plan keeps them few. */
export async function readWebhooks(db: Queries, accountId: string): Promise<Webhook[]> {
  return toWebhooks(db, accountId, await db.all(sql`${selectWebhooks} where w.account_id = ${accountId}`))
}

export async function findWebhook(db: Queries, { accountId, webhookId }: WebhookKey): Promise<Webhook | null> {
  const rows = await db.all(sql`${selectWebhooks} where w.account_id = ${accountId} and w.id = ${webhookId}`)
  return (await toWebhooks(db, accountId, rows))[0] ?? null
}

/** The sealed secrets that sign a webhook's deliveries; the previous one only while it is still valid. */
export async function findSecrets(
  db: Queries & { now(): Promise<number> },
  { accountId, webhookId }: WebhookKey,
): Promise<{ secret: string; previousSecret: string | null } | null> {
  const row = await db.get<{ secret: string; previous_secret: string | null; until: number | null }>(
    sql`select secret, previous_secret, previous_secret_until as until from webhooks
      where id = ${webhookId} and account_id = ${accountId}`,
  )
  if (!row) return null
  const isValid = row.previous_secret !== null && toNumber(row.until) > (await db.now())
  return { secret: row.secret, previousSecret: isValid ? row.previous_secret : null }
}

/** The ids of those webhooks that belong to the account and are active. */
export async function findActiveWebhooks(
  db: Queries,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db.all<{ id: string }>(
    sql`select id from webhooks where account_id = ${accountId} and activated = 1 and ${inList('id', ids)}`,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Like `findWebhook`, for a webhook that exists. @throws Error when it does not */
export async function getWebhook(db: Queries, key: WebhookKey): Promise<Webhook> {
  const webhook = await findWebhook(db, key)
  if (!webhook) throw new Error('The webhook that this transaction has written is gone.')
  return webhook
}

/** Filters are stored by the ids of lists, and shown by the path names that these have now. */
async function toWebhooks(db: Queries, accountId: string, rows: readonly Row[]): Promise<Webhook[]> {
  const saved = rows.map(savedWhereOf)
  const pathNames = await readPathNames(db, { accountId, ids: [...new Set(saved.flatMap(Object.keys))] })
  return rows.map((row, n) => ({ ...webhookTable.fromRow(row), where: shownWhere(saved[n] ?? {}, pathNames) }))
}

/** The filters of a webhook as they are stored. */
export async function readSavedWhere(db: Queries, { accountId, webhookId }: WebhookKey): Promise<SavedWhere> {
  const row = await db.get(sql`select filters from webhooks where account_id = ${accountId} and id = ${webhookId}`)
  return row ? savedWhereOf(row) : {}
}

const savedWhereOf = ({ filters }: Row): SavedWhere => (filters === null ? {} : toJson(filters))

/** Locks the queue row of a webhook for the rest of the transaction, so that others that change or serve it wait. */
export async function lockWebhook(tx: Transaction, { accountId, webhookId }: WebhookKey): Promise<Webhook | null> {
  // Read by a second statement, which sees a change that the first one waited for.
  await lockQueues(tx, [webhookId])
  return findWebhook(tx, { accountId, webhookId })
}

/** The account's plan and webhooks, for the creation or change of a webhook. */
type WebhookAllowance = {
  /** Id of the account's price plan. */
  plan: string
  /** How many webhooks the account has. */
  count: number
  /** The epoch for webhooks that become active in this transaction: later events have it, earlier ones do not. */
  epoch: number
}

/**
 * Begins a new listener epoch of the account, in which dispatchers read its webhooks again. It updates the account's row first, so
 * that transactions that add, activate or change webhooks of one account run one after the other on every database, and the count
 * read here is valid until the commit.
 */
export async function beginListenerEpoch(tx: Transaction, accountId: string): Promise<WebhookAllowance> {
  await tx.run(sql`update accounts set listener_epoch = listener_epoch + 1 where id = ${accountId}`)
  const row = await tx.get(
    sql`select a.plan, a.listener_epoch, (select count(*) from webhooks w where w.account_id = a.id) as webhooks
     from accounts a where a.id = ${accountId}`,
  )
  if (!row) throw new Error('The account of a signed-in user is gone.')
  return { plan: toText(row.plan), epoch: toNumber(row.listener_epoch), count: toNumber(row.webhooks) }
}

/** The plan of an account and how many webhooks it has, for an early check outside a transaction. */
export async function readWebhookCount(db: Queries, accountId: string): Promise<{ plan: string; count: number }> {
  const row = await db.get(
    sql`select plan, (select count(*) from webhooks w where w.account_id = accounts.id) as webhooks
      from accounts where id = ${accountId}`,
  )
  if (!row) throw new Error('The account of a signed-in user is gone.')
  return { plan: toText(row.plan), count: toNumber(row.webhooks) }
}

/** Inserts a webhook and its queue row, from which nothing is due yet. */
export async function insertWebhook(
  tx: Transaction,
  webhook: Webhook,
  rest: { sealedSecret: string; sealedHeaders?: string | null; savedWhere?: SavedWhere; epoch: number },
): Promise<void> {
  await insertRows(tx, webhookRows([{ sealedHeaders: null, savedWhere: {}, ...webhook, ...rest }]))
  await insertRows(tx, queueRows([webhook]))
}

type NewRow = Webhook & { sealedSecret: string; sealedHeaders: string | null; savedWhere: SavedWhere; epoch: number }

const webhookRows = rowMapper<NewRow>('webhooks', {
  ...webhookTable.columnsOf(rowFields),
  active_epoch: (webhook) => webhook.epoch,
  secret: (webhook) => webhook.sealedSecret,
  headers: (webhook) => webhook.sealedHeaders,
  filters: (webhook) => filtersText(webhook.savedWhere),
})

const queueRows = rowMapper<Webhook>('webhook_queues', {
  webhook_id: (webhook) => webhook.id,
  due_at: () => DUE_NEVER,
  ...webhookTable.columnsOf(['maxRequestsPerSecond']),
})

/**
 * Writes the settings of a webhook, not whether it is active. A change of its events or lists needs a new listener epoch. The caller
 * has locked the webhook.
 */
export async function writeWebhook(tx: Transaction, webhook: Webhook): Promise<void> {
  await tx.run(sql`update webhooks set ${assignments(settingColumns, webhook)}
    where id = ${webhook.id} and account_id = ${webhook.accountId}`)
  await tx.run(sql`update webhook_queues set ${assignments(webhookTable.columnsOf(queueSettings), webhook)}
    where webhook_id = ${webhook.id}`)
}

const settingNames = namesIn(webhookFields, 'update').filter((name) => name !== 'activated')
const queueSettings = settingNames.filter((name) => queueFields.some((other) => other === name))
const rowSettings = settingNames.filter((name) => !queueSettings.includes(name))
const settingColumns: Columns<Webhook> = webhookTable.columnsOf(['updatedAt', ...rowSettings])

/** The number of held events: every position has one, so no rows are counted. */
const held = raw('(b.next_position - b.first_position)')
const counted = raw(String(maxCounted))
const selectWebhooks = sql`select ${raw(rowFields.map((name) => `w.${webhookTable.columns[name]}`).join(', '))}, w.filters,
  ${raw(queueFields.map((name) => `q.${webhookTable.columns[name]}`).join(', '))},
  coalesce(case when ${held} > ${counted} then ${counted} else ${held} end, 0) as held_count,
  case when ${held} > ${counted} then 1 else 0 end as held_is_at_least, oldest.held_at as oldest_held_at
  from webhooks w join webhook_queues q on q.webhook_id = w.id left join held_backlogs b on b.webhook_id = w.id
  left join held_events oldest on oldest.webhook_id = b.webhook_id and oldest.position = b.first_position`

/** Removes a webhook and its queue row. The caller has removed its deliveries and locked it. */
export async function removeWebhook(tx: Transaction, { accountId, webhookId }: WebhookKey): Promise<void> {
  await tx.run(
    sql`delete from webhook_queues where webhook_id = ${webhookId}
       and exists (select 1 from webhooks where webhooks.id = webhook_queues.webhook_id and account_id = ${accountId})`,
  )
  await tx.run(sql`delete from webhooks where id = ${webhookId} and account_id = ${accountId}`)
}

/** Stores a new signing secret; the old one is also used until `previousUntil` (epoch milliseconds). */
export async function storeWebhookSecret(
  tx: Transaction,
  { accountId, webhookId, sealedSecret, previousUntil }: WebhookKey & { sealedSecret: string; previousUntil: number },
): Promise<void> {
  await tx.run(
    sql`update webhooks set previous_secret = secret, previous_secret_until = ${previousUntil}, secret = ${sealedSecret}
     where id = ${webhookId} and account_id = ${accountId}`,
  )
}

/** Restarts the count of the events that a webhook misses. The caller has locked the webhook. */
export async function clearMissed(tx: Transaction, { webhookId }: WebhookKey): Promise<void> {
  const isBehind = await restartBacklog(tx, webhookId)
  await tx.run(
    sql`update webhook_queues set missed = 0, backlog_full = ${isBehind ? 1 : 0} where webhook_id = ${webhookId}`,
  )
}

/** Stores the fixed headers that a webhook's requests are to carry; null: none. The caller has locked the webhook. */
export async function storeWebhookHeaders(
  tx: Transaction,
  {
    accountId,
    webhookId,
    sealedHeaders,
    names,
  }: WebhookKey & { sealedHeaders: string | null; names: readonly string[] },
): Promise<void> {
  await tx.run(
    sql`update webhooks set headers = ${sealedHeaders}, header_names = ${JSON.stringify(names)}
     where id = ${webhookId} and account_id = ${accountId}`,
  )
}

/** Stores the filters of a webhook. The caller has locked the webhook and begun a new listener epoch. */
export async function storeWebhookFilters(
  tx: Transaction,
  { accountId, webhookId, saved }: WebhookKey & { saved: SavedWhere },
): Promise<void> {
  await tx.run(
    sql`update webhooks set filters = ${filtersText(saved)} where id = ${webhookId} and account_id = ${accountId}`,
  )
}

function filtersText(saved: SavedWhere): string | null {
  return Object.keys(saved).length === 0 ? null : JSON.stringify(saved)
}
