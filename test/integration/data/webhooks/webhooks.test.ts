import test from 'ava'
import type { Database, Transaction } from '#shared/data/database.ts'
import { releaseLeasesOf } from '#shared/data/dispatch/claims.ts'
import { createListeners, type Listeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { findNextOldSecret, wipeOldSecrets } from '#shared/data/webhooks/old-secrets.ts'
import {
  activateWebhook,
  deactivateWebhook,
  isWebhookServed,
  removeDeliveries,
} from '#shared/data/webhooks/webhook-activity.ts'
import {
  beginListenerEpoch,
  findWebhook,
  insertWebhook,
  readWebhooks,
  removeWebhook,
  storeWebhookSecret,
} from '#shared/data/webhooks/webhooks.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { Webhook } from '#shared/domain/webhook/fields.ts'
import {
  itemChange,
  makeList,
  makeWebhook,
  testId,
  wrongWaitingCounts,
} from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { fanOut, settle } from '../../../support/webhooks/cycles.ts'

const holder = { owner: 'dispatcher-1', leaseMs: 30_000 }

/** Commits events and fans them out. */
async function giveEvents(db: Database, at: { accountId: string; listId: string }, count: number): Promise<void> {
  const eventIds: string[] = []
  const committer = createCommitter(db, { announce: (committed) => eventIds.push(...enqueuedEvents(committed)) })
  await Promise.all(Array.from({ length: count }, () => committer.commit(itemChange(at))))
  await fanOut(db, { outbox: { eventIds } })
}

const headOf = (db: Database, id: string) => db.get('select * from webhook_queues where webhook_id = ?', [id])
const count = async (db: Database, table: string) =>
  (await db.get<{ n: number }>(`select count(*) as n from ${table}`))?.n
const claim = (db: Database) => db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 10 }))
const activate = (db: Database, accountId: string, webhookId: string) =>
  db.transaction((tx) => activateIn(tx, accountId, webhookId))
const activateIn = async (tx: Transaction, accountId: string, webhookId: string) =>
  activateWebhook(tx, { accountId, webhookId, epoch: (await beginListenerEpoch(tx, accountId)).epoch })
const deactivate = (db: Database, accountId: string, webhookId: string) =>
  db.transaction((tx) => deactivateWebhook(tx, { accountId, webhookId, reason: 'deactivated', now: 5 }))

test('a webhook is read as it was written, with the counters of its queue row, by its own account only', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  const webhook: Webhook = {
    id: testId(),
    accountId,
    createdAt: 1,
    updatedAt: 2,
    url: 'https://a.example/',
    events: ['item.created'],
    description: 'é',
    listIds: [listId],
    where: {},
    headerNames: ['Authorization'],
    maxRequestsPerSecond: 5,
    activated: true,
    failureCount: 0,
    disabledAt: null,
    disabledReason: null,
    waitingCount: 0,
    heldCount: 0,
    heldIsAtLeast: false,
    oldestHeldAt: null,
    missedCount: 0,
    lastDeliveryAt: null,
  }
  await db.transaction(async (tx) => {
    const { epoch, plan, count: before } = await beginListenerEpoch(tx, accountId)
    t.deepEqual({ epoch, plan, before }, { epoch: 1, plan: 'scale', before: 0 })
    await insertWebhook(tx, webhook, { sealedSecret: 'sealed', epoch })
  })
  t.deepEqual(await findWebhook(db, { accountId, webhookId: webhook.id }), webhook)
  t.deepEqual(await readWebhooks(db, accountId), [webhook])
  const other = await makeList(db)
  t.is(await findWebhook(db, { accountId: other.accountId, webhookId: webhook.id }), null)
  t.deepEqual(await readWebhooks(db, other.accountId), [])
  t.is((await headOf(db, webhook.id))?.due_at, DUE_NEVER)
})

test('a replaced secret is deleted after its time, in batches; until then it stays next to the new one', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const replaced = async (previousUntil: number) => {
    const webhookId = await makeWebhook(db, { accountId, secret: 'old' })
    await db.transaction((tx) => storeWebhookSecret(tx, { accountId, webhookId, sealedSecret: 'new', previousUntil }))
  }
  t.is(await findNextOldSecret(db), null)
  const now = await db.now()
  for (let n = 0; n < 101; n++) await replaced(now - 1_000 - n)
  await replaced(now + 3_600_000)
  t.is(await findNextOldSecret(db), now - 1_100)
  t.like(await wipeOldSecrets(db), { rows: 100, more: true })
  t.like(await wipeOldSecrets(db), { rows: 1, more: false })
  t.is(await findNextOldSecret(db), now + 3_600_000)
  t.deepEqual(await db.all("select secret, previous_secret from webhooks where previous_secret = 'old'"), [
    { secret: 'new', previous_secret: 'old' },
  ])
  t.is(
    await count(db, "webhooks where secret = 'new' and previous_secret is null and previous_secret_until is null"),
    101,
  )
})

test('after a deactivation nothing is claimed, and waiting deliveries stay', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const id = await makeWebhook(db, at)
  await giveEvents(db, at, 3)
  await deactivate(db, at.accountId, id)
  t.deepEqual(await claim(db), [])
  t.like(await headOf(db, id), { due_at: DUE_NEVER, waiting: 3, lease_owner: null })
  t.like(await findWebhook(db, { accountId: at.accountId, webhookId: id }), {
    activated: false,
    disabledAt: 5,
    disabledReason: 'deactivated',
    waitingCount: 3,
  })
  t.false(await isWebhookServed(db, { accountId: at.accountId, webhookId: id }))
})

test('a leased webhook counts as served until its lease is released or has expired', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const id = await makeWebhook(db, at)
  await giveEvents(db, at, 1)
  t.is((await claim(db)).length, 1)
  await deactivate(db, at.accountId, id)
  t.true(await isWebhookServed(db, { accountId: at.accountId, webhookId: id }))
  await db.run('update webhook_queues set lease_until = ?, due_at = ?', [Date.now() - 1, Date.now() - 1])
  t.false(await isWebhookServed(db, { accountId: at.accountId, webhookId: id }))
  t.deepEqual(await claim(db), [])
  t.like(await headOf(db, id), { due_at: DUE_NEVER, lease_owner: null })
})

test('an activation makes all waiting deliveries due now and clears the counters', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const id = await makeWebhook(db, at)
  await giveEvents(db, at, 2)
  await db.run('update deliveries set next_attempt_at = ?', [Date.now() + 1_000_000])
  await deactivate(db, at.accountId, id)
  await db.run('update webhook_queues set consecutive_failures = 20, missed = 7')
  await activate(db, at.accountId, id)
  t.like(await findWebhook(db, { accountId: at.accountId, webhookId: id }), {
    activated: true,
    failureCount: 0,
    missedCount: 0,
    disabledAt: null,
    disabledReason: null,
    waitingCount: 2,
  })
  t.is((await claim(db)).length, 1)
  t.is((await db.get('select active_epoch from webhooks'))?.active_epoch, 2)
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a webhook that is activated during a fan-out gets no event that was committed while it was disabled', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const [other, id] = [await makeWebhook(db, at), await makeWebhook(db, at)]
  await deactivate(db, at.accountId, id)
  await createCommitter(db, { announce() {} }).commit(itemChange(at))
  const { read } = createListeners()
  const listeners: Listeners = {
    async read(tx, accounts) {
      const found = await read(tx, accounts)
      await activateIn(tx as Transaction, at.accountId, id)
      return found
    },
  }
  await settle(db, [], holder, { outbox: { waitedMs: 0 }, listeners })
  t.deepEqual(await db.all('select webhook_id from deliveries'), [{ webhook_id: other }])
  await giveEvents(db, at, 1)
  t.is((await headOf(db, id))?.waiting, 1)
})

test('an activation without waiting deliveries leaves nothing due, and one of a leased queue leaves the lease', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const id = await makeWebhook(db, at)
  await deactivate(db, at.accountId, id)
  await activate(db, at.accountId, id)
  t.is((await headOf(db, id))?.due_at, DUE_NEVER)

  await giveEvents(db, at, 2)
  await claim(db)
  const held = await headOf(db, id)
  await deactivate(db, at.accountId, id)
  await activate(db, at.accountId, id)
  t.like(await headOf(db, id), { due_at: Number(held?.due_at) - 1, lease_owner: holder.owner, fence: held?.fence })
})

test("a webhook's deliveries are removed in batches, with their attempts and unused payloads", async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const id = await makeWebhook(db, at)
  await giveEvents(db, at, 3)
  const other = await makeWebhook(db, at)
  await giveEvents(db, at, 2)
  for (let n = 0; n < 3; n++) {
    await releaseLeasesOf(db, holder.owner)
    await claim(db) // ends the previous attempt as interrupted, and logs the attempt before it
  }
  await deactivate(db, at.accountId, id)
  const removeBatch = (after: string) =>
    db.transaction((tx) => removeDeliveries(tx, { accountId: at.accountId, webhookId: id, after, limit: 2 }))
  const [first] = await db.all<{ id: string }>('select id from deliveries where webhook_id = ?', [id])
  await db.run("update deliveries set status = 'failed' where id = ?", [first?.id])
  await db.run('update webhook_queues set waiting = waiting - 1, failed = failed + 1 where webhook_id = ?', [id])
  const removed: number[] = []
  for (let after: string | null = ''; after !== null; ) {
    const step = await removeBatch(after)
    removed.push(step.removed)
    after = step.next
    t.deepEqual(await wrongWaitingCounts(db), [])
  }
  t.deepEqual(removed, [2, 2, 1])
  t.deepEqual(await removeBatch(''), { removed: 0, next: null })
  t.is(await count(db, 'deliveries'), 2)
  t.is(await count(db, 'delivery_attempts'), 1)
  t.is(await count(db, 'event_payloads'), 2)
  await db.transaction((tx) => removeWebhook(tx, { accountId: at.accountId, webhookId: id }))
  t.deepEqual(
    (await readWebhooks(db, at.accountId)).map((webhook) => webhook.id),
    [other],
  )
  t.is(await count(db, 'webhook_queues'), 1)
})

test('a dead holder that comes back writes nothing about a delivery that was removed', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const key = { accountId: at.accountId, webhookId: await makeWebhook(db, at) }
  await giveEvents(db, at, 2)
  const dead = { owner: 'dead', leaseMs: -1 }
  const [claimed] = await db.transaction((tx) => claimDue(tx, { ...dead, lane: 'fast', limit: 1 }))
  if (!claimed) return t.fail('nothing was claimed')
  await deactivate(db, at.accountId, key.webhookId)
  t.false(await isWebhookServed(db, key))
  await db.transaction((tx) => removeDeliveries(tx, { ...key, after: '', limit: 2 }))
  const outcome = { status: 204, body: '', durationMs: 3, error: null }
  await settle(db, [{ claim: claimed, outcome, lane: 'fast', shouldContinue: true }], dead)
  t.is(await count(db, 'delivery_attempts'), 0)
  t.like(await headOf(db, key.webhookId), { waiting: 0, succeeded: 0 })
})

test('a payload whose event is still in the outbox stays', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const id = await makeWebhook(db, at)
  await giveEvents(db, at, 1)
  const event = await db.get<{ event_id: string }>('select event_id from deliveries')
  const row = { account_id: at.accountId, request_id: 'r', listener_epoch: 1, created_at: 0 }
  await db.run(db.build('outbox').insert({ event_id: event?.event_id, ...row }))
  await db.transaction((tx) => removeDeliveries(tx, { accountId: at.accountId, webhookId: id, after: '', limit: 10 }))
  t.is(await count(db, 'event_payloads'), 1)
})

test("another account's webhook is not removed", async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const id = await makeWebhook(db, at)
  const { accountId } = await makeList(db)
  await db.transaction((tx) => removeWebhook(tx, { accountId, webhookId: id }))
  t.is(await count(db, 'webhooks'), 1)
  t.is(await count(db, 'webhook_queues'), 1)
})
