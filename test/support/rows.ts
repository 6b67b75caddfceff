import type { ItemChange } from '#shared/data/commit.ts'
import type { Database } from '#shared/data/database.ts'
import { NEVER } from '#shared/domain/limits.ts'

let last = 0

/** An id that is unique in the run and rises, so that tests can tell the order of things. */
export function testId(): string {
  return `0190-test-${String(++last).padStart(8, '0')}`
}

/** An account with one list on which nothing is special. */
export async function makeList(db: Database): Promise<{ accountId: string; listId: string }> {
  const accountId = testId()
  const listId = testId()
  await db.run(
    db.build('accounts').insert({ id: accountId, created_at: 0, updated_at: 0, name: accountId, plan: 'scale' }),
  )
  const flags = { pinned: 0, readonly: 0, realtime: 0, protected: 0, indexable: 1, generative: 0, activated: 1 }
  const texts = { name: 'Recipes', description: '', tags: '[]', path_name: 'recipes', path_key: 'recipes' }
  await db.run(
    db.build('lists').insert({ id: listId, account_id: accountId, created_at: 0, updated_at: 0, ...texts, ...flags }),
  )
  return { accountId, listId }
}

/** An active webhook with an idle head row. `secret` is stored as given: seal it when something will open it. */
export async function makeWebhook(
  db: Database,
  webhook: { accountId: string; url?: string; events?: string[]; listIds?: string[]; secret?: string },
): Promise<string> {
  const id = testId()
  const { accountId, url = 'https://127.0.0.1/', events = ['item.created'], listIds = [], secret = 'sealed' } = webhook
  await db.run('update accounts set webhook_epoch = webhook_epoch + 1 where id = ?', [accountId])
  const account = await db.get<{ webhook_epoch: number }>('select webhook_epoch from accounts where id = ?', [
    accountId,
  ])
  await db.run(
    db.build('webhooks').insert({
      ...{ id, account_id: accountId, created_at: 0, updated_at: 0, url, description: '', activated: 1, secret },
      ...{ events: JSON.stringify(events), list_ids: JSON.stringify(listIds), active_epoch: account?.webhook_epoch },
    }),
  )
  await db.run(db.build('webhook_heads').insert({ webhook_id: id, due_at: NEVER }))
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
    after: testItem(at, itemId, 1),
    indexValues: [],
    event: {
      ...{ id: testId(), type: 'item-created', createdAt: now, version: '1.0.0', snapshot: '{}' },
      actor: { authMode: 'user', tokenId: null, identityId: null },
    },
    payload: '{"type":"item.created"}',
    requestId: 'test-request',
    ...change,
  }
}

export function testItem(at: { accountId: string; listId: string }, id: string, revision: number) {
  return {
    ...{ id, accountId: at.accountId, listId: at.listId, createdAt: 0, updatedAt: 0, data: '{"title":"Soup"}' },
    ...{ description: '', tags: [], version: `1.0.${revision - 1}`, revision, size: 16, identity: null },
    ...{ readonly: false, activated: true, locked: false },
  }
}

/** `waiting` of every head equals the count of its pending rows: the invariant of all delivery work. */
export async function wrongWaitingCounts(db: Database): Promise<unknown[]> {
  return db.all(
    `select h.webhook_id, h.waiting, (select count(*) from deliveries d where d.webhook_id = h.webhook_id and d.status = 'pending') as pending
     from webhook_heads h where h.waiting <> (select count(*) from deliveries d where d.webhook_id = h.webhook_id and d.status = 'pending')`,
  )
}
