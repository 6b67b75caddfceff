import { authorize } from '#services/gateway/auth/authorize.ts'
import { requestInAdvance, requestOn } from '#services/gateway/auth/item-states.ts'
import { isHiddenDraft } from '#services/gateway/auth/visibility.ts'
import { findEvent } from '#shared/data/events/event-log.ts'
import { findIdentity } from '#shared/data/identities/identities.ts'
import { namesIn, pick } from '#shared/domain/fields/values.ts'
import { isId, timeOfId } from '#shared/domain/id.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import { removePointers } from '#shared/domain/item/guard.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { nextItem } from '#shared/domain/item/next-item.ts'
import { asLastReported, readSnapshot } from '#shared/domain/item/snapshot.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { AppError } from '#shared/errors.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { findItemOrDeleted, type ItemOrDeleted } from '../reading/item-or-deleted.ts'
import { assertVisibleList } from '../reading/load-item.ts'
import { changeItems } from './change-items.ts'
import { commitItem, type ItemMutation } from './commit-item.ts'
import { assertChangeAllowed, type ItemModification } from './modify-item.ts'
import { replacedData } from './replaced-data.ts'
import { validateItemData } from './validate-item-data.ts'
import { writtenItem } from './written-item.ts'

type Restoration = Omit<ItemModification, 'action'> & { event: string }

/**
 * Restores an item to its state after one of its events, as a new version (contract 2.2). A deleted item is created again with
 * its id. The list's schema and indexes apply; data keeps the text of the snapshot, including guarded values.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, ITEM_PRECONDITION_FAILED, LIST_READONLY, ITEM_LOCKED,
 *   ITEM_READONLY, ITEM_UNABLE_TO_RESTORE, the errors of `validateItemData`, ITEM_ALIAS_TAKEN, SERVICE_UNAVAILABLE
 */
export function restoreItem(deps: ItemDeps, restoration: Restoration): Promise<ItemResult> {
  const { principal, requestId, dryRun } = restoration
  return withList(deps.lists, { accountId: principal.accountId, ref: restoration.list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'restore' })
    return changeItems(deps, config, [restoration.item], async (willChange) => {
      const present = await loadRestorable(deps, config, restoration)
      willChange(present.item.id)
      assertChangeAllowed(config, present.deletedAt === null ? present.item : asLastReported(present.item), restoration)
      const mutation = await computeRestored(deps, config, { ...restoration, present })
      const item = await commitItem(deps, config, { ...mutation, principal, requestId, dryRun })
      return writtenItem(principal, config, item)
    })
  })
}

/** @throws Conflict when `config` is no longer current; REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED */
async function loadRestorable(
  deps: ItemDeps,
  config: ListConfig,
  { principal, item: ref }: Restoration,
): Promise<ItemOrDeleted> {
  const present = await findItemOrDeleted(deps, config, { principal, ref })
  const list = ruledList(config)
  if (!present || isHiddenDraft(principal, list, present.item)) throw notFound()
  const { item } = present
  authorize(principal, requestOn(principal, 'view', { list, item }))
  // A deleted item has no current state: the restored state decides.
  const { itemId, ownerId, ...restored } = requestOn(principal, 'restore', { list, item })
  const inAdvance = { ...requestInAdvance(list, 'restore'), itemId, ownerId }
  authorize(principal, present.deletedAt === null ? { ...restored, itemId, ownerId } : inAdvance)
  return present
}

async function computeRestored(
  deps: ItemDeps,
  config: ListConfig,
  { event, principal, present }: Restoration & { present: ItemOrDeleted },
): Promise<ItemMutation> {
  const { item, deletedAt } = present
  const earlier = await readEarlier(deps, item, event)
  if (item.readonly) throw new AppError('ITEM_READONLY')
  // Only users lock and unlock items.
  const locked = principal.mode === 'token' ? item.locked : earlier.locked
  // Guarded values are restored too, but neither they nor their size decide whether a token can restore the item.
  const guards = principal.mode === 'token' ? config.guards : []
  const sent = removePointers(earlier.data, guards)
  const now = { ...item, data: removePointers(item.data, guards) }
  if (deletedAt === null && isSameState(now, { ...earlier, data: sent, locked }))
    throw new AppError('ITEM_UNABLE_TO_RESTORE')
  const restored = replacedData(earlier.data, { sent, value: JSON.parse(sent), guards })
  const { indexValues, words } = await validateItemData(deps, config, { ...restored, limits: principal.limits })
  const at = laterThan({ updatedAt: deletedAt ?? item.updatedAt }, deps.now())
  const identity = deletedAt === null ? item.identity : await findOwnerOf(deps, item)
  const next = nextItem(item, { ...pick(earlier, restoredFields), locked }, { ...earlier, at })
  // Events of versions up to 0.2 may have a time that differs from that of the id.
  const after = { ...next, identity, createdAt: timeOfId(item.id) }
  return { before: deletedAt === null ? item : null, after, indexValues, words, at, restores: true }
}

/** The item after an event. @throws REQUESTED_ENTITY_NOT_FOUND; ITEM_UNABLE_TO_RESTORE when the event deleted it */
async function readEarlier({ db }: ItemDeps, item: Item, eventId: string): Promise<Item> {
  const { accountId, id: modelId } = item
  const event = isId(eventId) ? await findEvent(db, { accountId, stream: 'item', modelId }, eventId) : null
  if (!event?.snapshot) throw notFound()
  if (event.type === 'item-deleted') {
    throw new AppError('ITEM_UNABLE_TO_RESTORE', { message: 'This event deleted the item; restore an earlier one.' })
  }
  return readSnapshot({ snapshot: event.snapshot, revision: item.revision }, item)
}

/** Whether two states are the same in everything that a restore changes. */
function isSameState(item: Item, earlier: Item): boolean {
  const stateOf = (one: Item) => JSON.stringify([one.data, pick(one, restoredFields)])
  return stateOf(item) === stateOf(earlier)
}

const restoredFields = namesIn(itemFields, 'update').filter((name) => name !== 'version')

/** The owner of a deleted item, if that still exists. */
async function findOwnerOf({ db }: ItemDeps, { accountId, identity }: Item): Promise<Item['identity']> {
  const found = identity && (await findIdentity(db, { accountId, identityId: identity.id }))
  return found && { id: found.identity.id, displayName: found.identity.displayName }
}

function notFound(): AppError {
  return new AppError('REQUESTED_ENTITY_NOT_FOUND')
}
