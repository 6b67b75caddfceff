import { seenActor } from '#shared/domain/event.ts'
import { withoutValuesAt } from '#shared/domain/item/guard.ts'
import { type Item, serializeItemFields } from '#shared/domain/item/item.ts'
import { asLastReported, readSnapshot } from '#shared/domain/item/snapshot.ts'
import { changeFrame } from '#shared/domain/realtime/frame.ts'
import { asksFor, isOfItem, type Subscription, sentType } from '#shared/domain/realtime/subscription.ts'
import { asksForItems, comparesStates, movesView } from '#shared/domain/realtime/view-change.ts'
import { isAllowed } from '../../auth/authorize.ts'
import { seesState, viewsByConditions } from '../../auth/item-states.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { hiddenPointers, serializeSeenItem } from '../items/reading/serialize.ts'
import { type ListConfig, ruledList } from '../lists/list-cache.ts'
import type { FeedEvent } from './account-feed.ts'

/** Who receives changes, and how much of an item. */
export type Watcher = {
  principal: AuthenticatedPrincipal
  subscription: Subscription
  includeData: boolean
  includeGuarded: boolean
}

/** Larger data is left out of frames. */
const maxDataBytes = 256 * 1024
/** The most views of one event whose frames are kept. */
const maxFrames = 4

/** A state before a change; `unknown`: retention has deleted it. */
export type StateBefore = { snapshot: string; revision: number } | 'unknown'

type Configs = ReadonlyMap<string, ListConfig | null>

/**
 * Whether the state before a change decides what a client receives: a token that does not see the state after the change may have seen the
 * state before. Because owners do not change, this is possible only if conditions of rules decide, or if the item became a draft. For
 * lists and indexes, the state before decides whether the view has moved.
 */
export function needsStateBefore(event: FeedEvent, configs: Configs, { principal, subscription }: Watcher): boolean {
  if (!isOfItem(event.type)) return comparesStates(event.type) && asksForItems(subscription)
  const config = configs.get(event.listId)
  if (principal.mode !== 'token' || !config) return false
  if (event.type === 'item-created' || event.type === 'item-deleted') return false
  const item = itemOf(event)
  const mayDiffer = viewsByConditions(principal, config.list.id) || !item.activated
  return mayDiffer && !seesItem(principal, config, item)
}

/**
 * What a client receives of a change, decided by its permissions and the current settings of the list.
 * @param before the state before the change, if `needsStateBefore` is true
 * @returns `frame`: null: nothing is sent; `moved`: the client must fetch again, because items may have left or entered its view
 *   without an event
 */
export function frameFor(
  event: FeedEvent,
  configs: Configs,
  { watcher, before }: { watcher: Watcher; before?: StateBefore | undefined },
): { frame: string | null; moved: boolean } {
  const { principal, subscription } = watcher
  const config = configs.get(event.listId) ?? null
  if (!isOfItem(event.type)) {
    const isSent = asksFor(subscription, event.type, event.type) && seesList(event, config, principal)
    const of = { key: 'list', principal, itemId: null, model: () => event.snapshot }
    return { frame: isSent ? framed(event, event.type, of) : null, moved: isViewMoved(event, watcher, before) }
  }
  if (principal.mode === 'token' && !config) return { frame: null, moved: false }
  const item = itemOf(event)
  const isUnknown = before === 'unknown'
  if (isUnknown && asksFor(subscription, event.type, 'item-deleted')) return { frame: null, moved: true }
  const wasSeen = before !== undefined && !isUnknown && seesItem(principal, config, itemAt(event, before))
  const type = sentType(event.type, { before: wasSeen, after: seesItem(principal, config, item) })
  if (type === null || !asksFor(subscription, event.type, type)) return { frame: null, moved: false }
  const isGone = type === 'item-deleted' && event.type !== type
  const { key, model } = isGone
    ? { key: 'gone', model: () => JSON.stringify({ id: item.id }) }
    : modelOf(event, { item, config, watcher })
  const of = { key, principal, itemId: item.id, model, ownerId: item.identity?.id ?? null }
  return { frame: framed(event, type, of), moved: false }
}

function isViewMoved(event: FeedEvent, { principal, subscription }: Watcher, before: StateBefore | undefined): boolean {
  if (!asksForItems(subscription)) return false
  const { type, snapshot: after } = event
  const change = { type, before: before === 'unknown' ? undefined : before?.snapshot, after }
  const isToken = principal.mode === 'token'
  return movesView(change, { isToken, byConditions: viewsByConditions(principal, event.listId) })
}

function seesList({ listId, snapshot }: FeedEvent, config: ListConfig | null, principal: AuthenticatedPrincipal) {
  if (principal.mode === 'user') return true
  const isActivated = config?.list.activated ?? JSON.parse(snapshot).activated === true
  return isActivated && isAllowed(principal, { action: 'view', resourceType: 'list', listId })
}

function seesItem(principal: AuthenticatedPrincipal, config: ListConfig | null, item: Item): boolean {
  if (principal.mode === 'user') return true
  return config?.list.activated === true && seesState(principal, ruledList(config), item)
}

function itemOf(event: FeedEvent): Item {
  event.item ??= itemAt(event, { snapshot: event.snapshot, revision: event.revision ?? 0 })
  return event.item
}

/** Neither clients nor rules read the account of an item. */
function itemAt({ listId }: FeedEvent, state: { snapshot: string; revision: number }): Item {
  return readSnapshot(state, { accountId: '', listId })
}

/** The item as a read would show it now, and a key that distinguishes what clients see of it. */
function modelOf(event: FeedEvent, of: { item: Item; config: ListConfig | null; watcher: Watcher }) {
  const { config, watcher } = of
  const { principal, includeData, includeGuarded } = watcher
  const item = event.type === 'item-deleted' ? asLastReported(of.item) : of.item
  const cut = config ? hiddenPointers({ item, config }, { principal, includeGuarded }) : []
  const key = JSON.stringify(['item', includeData, cut])
  return {
    key,
    model() {
      const seen = withoutValuesAt(item, cut)
      if (includeData && Buffer.byteLength(seen.data) > maxDataBytes)
        return serializeItemFields(seen, { data: '"data":null,"dataOmitted":true', etag: undefined })
      return serializeSeenItem(seen, { includeData })
    },
  }
}

type Framed = {
  key: string
  principal: AuthenticatedPrincipal
  itemId: string | null
  model(): string
  ownerId?: string | null
}

/** The frame, serialized once for all clients that see the same of an event. */
function framed(event: FeedEvent, type: string, { key, principal, itemId, model, ownerId }: Framed): string {
  const { id: eventId, listId, revision, createdAt, frames } = event
  const showsActor = isAllowed(principal, {
    action: 'view',
    resourceType: 'event',
    listId,
    ...(itemId !== null && { itemId, ownerId }),
  })
  const view = `${type} ${showsActor} ${key}`
  const kept = frames.get(view)
  if (kept !== undefined) return kept
  const text = changeFrame({
    eventId,
    type,
    listId,
    itemId,
    revision,
    createdAt,
    actor: showsActor ? seenActor(event.actor, null) : undefined,
    model: model(),
  })
  if (frames.size < maxFrames) frames.set(view, text)
  return text
}
