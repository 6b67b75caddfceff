import { createAccount } from '#shared/data/accounts/accounts.ts'
import type { Database } from '#shared/data/database.ts'
import { insertPayloads } from '#shared/data/dispatch/outbox/payloads.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { insertList } from '#shared/data/lists/list-changes.ts'
import { insertRows, rowMapper } from '#shared/data/sql/insert-rows.ts'
import { beginListenerEpoch, insertWebhook } from '#shared/data/webhooks/webhooks.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { firstIdAt, timeOfId } from '#shared/domain/id.ts'
import { newList } from '#shared/domain/list/settings.ts'
import { type Webhook, type WebhookBody, webhookFields } from '#shared/domain/webhook/fields.ts'

let last = 0

/** An id that is unique in the run; ids ascend in the order of creation. */
export function testId(): string {
  return `00000000-0000-7000-8000-${String(++last).padStart(12, '0')}`
}

/** An id of this millisecond, like that of an item created then. */
export function testIdAt(time: number): string {
  return `${firstIdAt(time)}${testId().slice(13)}`
}

/** An account with one list that has default settings. */
export async function makeList(db: Database): Promise<{ accountId: string; listId: string }> {
  const accountId = testId()
  const listId = testId()
  const list = newList({ name: 'Recipes', pathName: 'recipes' }, { id: listId, accountId, at: 0 })
  await createAccount(db, { id: accountId, name: accountId, plan: 'scale', now: 0 })
  await db.transaction((tx) => insertList(tx, list))
  return { accountId, listId }
}

/** An active webhook with an idle queue row. `secret` is stored unchanged: seal it if the test opens it. */
export async function makeWebhook(
  db: Database,
  of: { accountId: string; secret?: string } & Pick<WebhookBody, 'url' | 'events' | 'listIds'>,
): Promise<string> {
  const id = testId()
  const { accountId, url = 'https://127.0.0.1/', events = ['item.created'], listIds = [], secret = 'sealed' } = of
  const own = { id, accountId, createdAt: 0, updatedAt: 0, url, events, listIds }
  const webhook: Webhook = { ...initialValues(webhookFields), ...own, where: {} }
  await db.transaction(async (tx) => {
    const { epoch } = await beginListenerEpoch(tx, accountId)
    await insertWebhook(tx, webhook, { sealedSecret: secret, epoch })
  })
  return id
}

/** A change that creates an item; give `expectedRevision` and `after` for other kinds. */
export function itemChange(at: { accountId: string; listId: string }, change: Partial<ItemChange> = {}): ItemChange {
  const itemId = change.itemId ?? testId()
  const now = Date.now()
  return {
    accountId: at.accountId,
    list: { id: at.listId, configVersion: 1 },
    itemId,
    expectedRevision: null,
    before: typeof change.expectedRevision === 'number' ? { activated: true, size: 16 } : null,
    after: testItem(at, itemId, 1),
    indexValues: [],
    event: {
      id: testId(),
      type: 'item-created',
      createdAt: now,
      version: '1.0.0',
      snapshot: '{}',
      actor: { authMode: 'user', tokenId: null, identityId: null },
    },
    payload: '{"type":"item.created"}',
    requestId: 'test-request',
    limits: null,
    ...change,
  }
}

export function testItem(at: { accountId: string; listId: string }, id: string, revision: number) {
  return {
    id,
    accountId: at.accountId,
    listId: at.listId,
    createdAt: 0,
    updatedAt: 0,
    data: '{"title":"Soup"}',
    description: '',
    tags: [],
    version: `1.0.${revision - 1}`,
    revision,
    size: 16,
    identity: null,
    readonly: false,
    activated: true,
    locked: false,
  }
}

/**
 * Queues whose counters differ from the count of their rows: the invariant of all delivery work. `waiting` does not include pings,
 * which have a separate counter.
 */
export async function wrongWaitingCounts(db: Database): Promise<unknown[]> {
  const rowsOf = (condition: string) =>
    `(select count(*) from deliveries d where d.webhook_id = h.webhook_id and ${condition})`
  return db.all(
    `select * from (select webhook_id, waiting, pinging, succeeded, failed,
       ${rowsOf("d.status = 'pending' and d.event <> 'ping'")} as waiting_rows,
       ${rowsOf("d.status = 'pending' and d.event = 'ping'")} as pinging_rows,
       ${rowsOf("d.status = 'succeeded'")} as succeeded_rows, ${rowsOf("d.status = 'failed'")} as failed_rows
     from webhook_queues h) as counted
     where waiting <> waiting_rows or pinging <> pinging_rows or succeeded <> succeeded_rows or failed <> failed_rows`,
  )
}

type DeliveryRow = {
  status?: string
  event?: string
  listId?: string
  itemId?: string
  id?: string
  eventId?: string
  error?: string | null
  responseStatus?: number | null
}

/** Adds deliveries of a webhook, settled by default, in this order, each with its payload; the queue counts them. */
export async function addDeliveries(
  db: Database,
  { accountId, webhookId }: { accountId: string; webhookId: string },
  rows: readonly DeliveryRow[],
): Promise<string[]> {
  const created = rows.map(({ id = testId(), ...row }) => ({ id, eventId: testId(), ...row }))
  await db.transaction(async (tx) => {
    const deliveries = created.map(({ status = 'succeeded', event = 'item.created', itemId = testId(), ...given }) => {
      return {
        listId: testId(),
        error: null,
        responseStatus: null,
        ...given,
        accountId,
        webhookId,
        event,
        itemId,
        status,
        at: timeOfId(given.id),
        pending: status === 'pending',
      }
    })
    await insertRows(tx, deliveryRows(deliveries))
    const payloads = created.map(({ eventId }) => ({ eventId, body: `{"id":"${eventId}","big":12345678901234567890}` }))
    await insertPayloads(tx, payloads)
    const count = (wanted: string) => created.filter(({ status = 'succeeded' }) => status === wanted).length
    await tx.run(
      'update webhook_queues set waiting = waiting + ?, succeeded = succeeded + ?, failed = failed + ? where webhook_id = ?',
      [count('pending'), count('succeeded'), count('failed'), webhookId],
    )
  })
  return created.map(({ id }) => id)
}

type AddedDelivery = Required<DeliveryRow> & {
  accountId: string
  webhookId: string
  at: number
  pending: boolean
}

const deliveryRows = rowMapper<AddedDelivery>('deliveries', {
  id: ({ id }) => id,
  account_id: ({ accountId }) => accountId,
  webhook_id: ({ webhookId }) => webhookId,
  event_id: ({ eventId }) => eventId,
  event: ({ event }) => event,
  list_id: ({ listId }) => listId,
  item_id: ({ itemId }) => itemId,
  request_id: () => 'test-request',
  created_at: ({ at }) => at,
  updated_at: ({ at }) => at,
  status: ({ status }) => status,
  error: ({ error }) => error,
  response_status: ({ responseStatus }) => responseStatus,
  response_duration_ms: ({ responseStatus }) => (responseStatus === null ? null : 5),
  attempts: ({ pending }) => (pending ? 0 : 8),
  series_attempts: ({ pending }) => (pending ? 0 : 8),
  next_attempt_at: ({ at, pending }) => (pending ? at + 1 : null),
  last_attempt_at: ({ at, pending }) => (pending ? null : at),
  completed_at: ({ at, pending }) => (pending ? null : at),
})
