import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { maxDeliveries, planCycle } from '#shared/data/dispatch/cycle-plan.ts'
import { lockedStore } from '#shared/data/dispatch/locked-store.ts'
import { createListeners, type Listeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import type { Actor } from '#shared/domain/actor.ts'
import { type Item, serializeItem } from '#shared/domain/item/item.ts'
import { eventPayload } from '#shared/domain/webhook/event-payload.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import type { BareEvent } from '../programs/bare-delivery.ts'
import { itemData } from './account.ts'
import type { WebhookWorld } from './webhook-world.ts'

/** For payloads of about 1 KB: the bytes that the rest of a payload leaves for the data. */
const dataBytes = 496
/** Changes passed to the committer at once, and events fanned out in one transaction. */
const atOnce = maxDeliveries

export type Backlog = {
  /** The deliveries that wait for each webhook, at its position. */
  waiting: BareEvent[][]
  /** Mean bytes of a payload. */
  payloadBytes: number
}

/**
 * Creates deliveries, equally many for each webhook, which all become due at the same later time: item changes are committed
 * and fanned out here, by the service's own code, while the running service does not notice and sleeps.
 * @param options.dueAt epoch milliseconds
 * @param options.maxWaiting of each webhook; further events are held for it. All of them wait by default
 */
export async function seedBacklog(
  world: WebhookWorld,
  options: { count: number; dueAt: number; maxWaiting?: number },
): Promise<Backlog> {
  const db = await openTestDatabase(world.listd.dataDir, { readers: 1 })
  try {
    const changes = Array.from({ length: options.count }, (_, n) => newChange(world, n))
    // A sweep of the dispatcher would find events that have waited for 5 s.
    const listeners = createListeners()
    for (const slice of slices(changes)) await fanOutDue(db, await commitAll(db, slice), { ...options, listeners })
    const waiting = world.lists.map((list) => changes.filter((change) => change.list.id === list.id).map(toEvent))
    const payloadBytes = changes.reduce((bytes, { payload }) => bytes + payload.length, 0) / changes.length
    return { waiting, payloadBytes }
  } finally {
    await db.close()
  }
}

const toEvent = ({ event, payload }: ItemChange): BareEvent => ({ id: event.id, body: payload })

async function commitAll(db: Database, changes: readonly ItemChange[]): Promise<string[]> {
  const eventIds: string[] = []
  const committer = createCommitter(db, { announce: (committed) => eventIds.push(...enqueuedEvents(committed)) })
  await Promise.all(changes.map((change) => committer.commit(change)))
  await committer.close()
  return eventIds
}

/** Deliveries are normally due at their fan-out; these are due later. */
async function fanOutDue(
  db: Database,
  eventIds: readonly string[],
  {
    count,
    dueAt,
    maxWaiting = count,
    listeners,
  }: { count: number; dueAt: number; maxWaiting?: number; listeners: Listeners },
): Promise<void> {
  const cycle = {
    work: { settlements: [], outbox: { eventIds }, slots: { fast: 0, slow: 0 }, claimDue: false },
    holder: { owner: '', leaseMs: 0 },
    rules: { retrySeconds: [], disableAfter: 1, maxWaiting, maxHeld: count, listeners, newId },
  }
  await db.transaction(async (tx) => {
    const store = lockedStore(tx, cycle)
    const state = { ...(await store.read()), now: dueAt }
    await store.write(planCycle(state, cycle), state)
  })
}

function* slices<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += atOnce) yield all.slice(start, start + atOnce)
}

function newChange({ account: { accountId }, lists }: WebhookWorld, n: number): ItemChange {
  const list = lists[n % lists.length] ?? { id: '', pathName: '' }
  const at = Date.now()
  const item = newItem({ accountId, listId: list.id, mark: `waiting-${n}`, at })
  const actor: Actor = { authMode: 'token', tokenId: newId(), identityId: null }
  const id = newId()
  const reference = { id: list.id, name: list.pathName, pathName: list.pathName }
  return {
    accountId,
    list: { id: list.id, configVersion: 1 },
    itemId: item.id,
    expectedRevision: null,
    before: null,
    after: item,
    indexValues: [],
    requestId: `bench-${n}`,
    limits: null,
    event: {
      id,
      type: 'item-created',
      actor,
      createdAt: at,
      version: item.version,
      snapshot: serializeItem(item, { includeData: true }),
    },
    payload: eventPayload({ id, type: 'item.created', createdAt: at, list: reference, item, actor }),
  }
}

function newItem(of: { accountId: string; listId: string; mark: string; at: number }): Item {
  const { accountId, listId, mark, at } = of
  return {
    id: newId(),
    accountId,
    listId,
    createdAt: at,
    updatedAt: at,
    data: itemData(mark, dataBytes),
    size: dataBytes,
    description: '',
    tags: [],
    version: '1.0.0',
    revision: 1,
    readonly: false,
    activated: true,
    locked: false,
    identity: null,
  }
}
