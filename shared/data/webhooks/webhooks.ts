import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { ItemEventType, Webhook } from '#shared/domain/webhook/webhook.ts'
import { toBoolean, toJson, toNumber, toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Queries, Row, Transaction } from '../database.ts'
import { lockQueues } from '../dispatch/queue-state.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'

/** A webhook, and the account it must belong to. */
export type WebhookKey = { accountId: string; webhookId: string }

/** All webhooks of an account; a price plan keeps them few. */
export async function readWebhooks(db: Queries, accountId: string): Promise<Webhook[]> {
  const rows = await db.all(`${selectWebhooks} where w.account_id = ?`, [accountId])
  return rows.map(webhookFromRow)
}

export async function findWebhook(db: Queries, { accountId, webhookId }: WebhookKey): Promise<Webhook | null> {
  const row = await db.get(`${selectWebhooks} where w.account_id = ? and w.id = ?`, [accountId, webhookId])
  return row ? webhookFromRow(row) : null
}

/** Locks the queue row of a webhook for the rest of the transaction, so that others that change or serve it wait. */
export async function lockWebhook(tx: Transaction, { accountId, webhookId }: WebhookKey): Promise<Webhook | null> {
  // Read by a second statement, which sees a change that the first one waited for.
  await lockQueues(tx, [webhookId])
  return findWebhook(tx, { accountId, webhookId })
}

/** The account's plan and webhooks, for the creation or activation of a webhook. */
export type WebhookAllowance = {
  /** Id of the account's price plan. */
  plan: string
  /** How many webhooks the account has. */
  count: number
  /** The epoch for webhooks that become active in this transaction: later events have it, earlier ones do not. */
  epoch: number
}

/**
 * Begins a new webhook epoch of the account. It updates the account's row first, so that transactions that add or activate
 * webhooks of one account run one after the other on every database, and the count read here is valid until the commit.
 */
export async function beginWebhookEpoch(tx: Transaction, accountId: string): Promise<WebhookAllowance> {
  await tx.run('update accounts set webhook_epoch = webhook_epoch + 1 where id = ?', [accountId])
  const row = await tx.get(
    `select a.plan, a.webhook_epoch, (select count(*) from webhooks w where w.account_id = a.id) as webhooks
     from accounts a where a.id = ?`,
    [accountId],
  )
  if (!row) throw new Error('The account of a signed-in user is gone.')
  return { plan: toText(row.plan), epoch: toNumber(row.webhook_epoch), count: toNumber(row.webhooks) }
}

/** The plan of an account and how many webhooks it has, for an early check outside a transaction. */
export async function readWebhookCount(db: Queries, accountId: string): Promise<{ plan: string; count: number }> {
  const row = await db.get(
    'select plan, (select count(*) from webhooks w where w.account_id = accounts.id) as webhooks from accounts where id = ?',
    [accountId],
  )
  if (!row) throw new Error('The account of a signed-in user is gone.')
  return { plan: toText(row.plan), count: toNumber(row.webhooks) }
}

/** Inserts a webhook and its queue row, from which nothing is due yet. */
export async function insertWebhook(
  tx: Transaction,
  webhook: Webhook,
  secretAndEpoch: { sealedSecret: string; epoch: number },
): Promise<void> {
  await insertRows(tx, webhookRows([{ ...webhook, ...secretAndEpoch }]))
  await insertRows(tx, queueRows([webhook]))
}

const webhookRows = rowMapper<Webhook & { sealedSecret: string; epoch: number }>('webhooks', {
  id: (webhook) => webhook.id,
  account_id: (webhook) => webhook.accountId,
  created_at: (webhook) => webhook.createdAt,
  updated_at: (webhook) => webhook.updatedAt,
  url: (webhook) => webhook.url,
  events: (webhook) => JSON.stringify(webhook.events),
  description: (webhook) => webhook.description,
  list_ids: (webhook) => JSON.stringify(webhook.listIds),
  activated: (webhook) => webhook.activated,
  active_epoch: (webhook) => webhook.epoch,
  secret: (webhook) => webhook.sealedSecret,
  disabled_at: (webhook) => webhook.disabledAt,
  disabled_reason: (webhook) => webhook.disabledReason,
})

const queueRows = rowMapper<Webhook>('webhook_queues', {
  webhook_id: (webhook) => webhook.id,
  due_at: () => DUE_NEVER,
})

/** Writes the settings of a webhook, not whether it is active. */
export async function writeWebhook(tx: Transaction, webhook: Webhook): Promise<void> {
  const { id, accountId, updatedAt, url, events, description, listIds } = webhook
  await tx.run(
    `update webhooks set updated_at = ?, url = ?, events = ?, description = ?, list_ids = ?
     where id = ? and account_id = ?`,
    [updatedAt, url, JSON.stringify(events), description, JSON.stringify(listIds), id, accountId],
  )
}

const selectWebhooks = `select w.id, w.account_id, w.created_at, w.updated_at, w.url, w.events, w.description, w.list_ids,
  w.activated, w.disabled_at, w.disabled_reason, h.consecutive_failures, h.waiting, h.missed, h.last_delivery_at
  from webhooks w join webhook_queues h on h.webhook_id = w.id`

function webhookFromRow(row: Row): Webhook {
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    createdAt: toNumber(row.created_at),
    updatedAt: toNumber(row.updated_at),
    url: toText(row.url),
    events: toJson<ItemEventType[]>(row.events),
    description: toText(row.description),
    listIds: toJson<string[]>(row.list_ids),
    activated: toBoolean(row.activated),
    failureCount: toNumber(row.consecutive_failures),
    disabledAt: toNumberOrNull(row.disabled_at),
    disabledReason: toTextOrNull(row.disabled_reason),
    waitingCount: toNumber(row.waiting),
    missedCount: toNumber(row.missed),
    lastDeliveryAt: toNumberOrNull(row.last_delivery_at),
  }
}

/** Removes a webhook and its queue row. The caller has removed its deliveries and locked it. */
export async function removeWebhook(tx: Transaction, { accountId, webhookId }: WebhookKey): Promise<void> {
  await tx.run(
    `delete from webhook_queues where webhook_id = ?
       and exists (select 1 from webhooks where webhooks.id = webhook_queues.webhook_id and account_id = ?)`,
    [webhookId, accountId],
  )
  await tx.run('delete from webhooks where id = ? and account_id = ?', [webhookId, accountId])
}

/** Stores a new signing secret; the old one is used too until `previousUntil` (epoch milliseconds). */
export async function storeWebhookSecret(
  tx: Transaction,
  { accountId, webhookId, sealedSecret, previousUntil }: WebhookKey & { sealedSecret: string; previousUntil: number },
): Promise<void> {
  await tx.run(
    `update webhooks set previous_secret = secret, previous_secret_until = ?, secret = ?
     where id = ? and account_id = ?`,
    [previousUntil, sealedSecret, webhookId, accountId],
  )
}
