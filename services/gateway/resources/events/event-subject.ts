import { Conflict } from '#shared/data/conflict.ts'
import type { EventSubjectKey } from '#shared/data/events/event-ranges.ts'
import type { AccessRequest } from '#shared/domain/access/compiled-rules.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { type ItemSnapshot, itemFromSnapshot } from '#shared/domain/item/snapshot.ts'
import { findIndex } from '#shared/domain/list/index-settings.ts'
import { AppError } from '#shared/errors.ts'
import { authorize } from '../../auth/authorize.ts'
import { requestOn, seesState, viewsByConditions } from '../../auth/item-states.ts'
import { isHiddenDraft } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { findItemOrDeleted } from '../items/reading/item-or-deleted.ts'
import { type ListConfig, ruledList } from '../lists/list-cache.ts'
import { withList } from '../lists/with-list.ts'
import type { EventDeps } from './context.ts'

/** A request for the events of a list, or of an item or index in it. */
export type EventSubjectRequest = {
  principal: AuthenticatedPrincipal
  list: string
  item?: string | undefined
  index?: string | undefined
  /** The part that is read. Each part has its own permission; the default is the events. */
  part?: 'event' | 'stats'
  /** Whether guarded values are requested too; of tokens, only one that acts for the owner of the item gets them (contract 2.2). */
  includeGuarded: boolean
}

/**
 * A subject whose events this principal may see; the values at `hiddenPointers` are removed from its snapshots.
 * @property sees for an item, if conditions of rules decide: whether the state in a snapshot is shown; absent: all states are
 * @property showsItems whether events of an index may name items and their values: rules may hide some of them from a token
 */
export type EventSubject = EventSubjectKey & {
  hiddenPointers: readonly string[]
  showsItems: boolean
  sees?: (state: ItemSnapshot['snapshot']) => boolean
}

/**
 * Runs `work` on the log of a list, item or index that the principal may view, with its events or stats.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, and the errors of `work`
 */
export function withEventSubject<T>(
  deps: EventDeps,
  request: EventSubjectRequest,
  work: (subject: EventSubject) => Promise<T>,
): Promise<T> {
  const { principal, list: ref } = request
  return withList(deps.lists, { accountId: principal.accountId, ref }, async (config) => {
    if (!config || (principal.mode === 'token' && !config.list.activated)) throw notFound()
    const found = await findSubject(deps, config, request)
    if (!found) throw notFound()
    const { stream, ids } = found
    const holds = found.item && requestOn(principal, 'view', { list: ruledList(config), item: found.item }).holds
    authorize(principal, { action: 'view', resourceType: stream, ...ids, holds })
    authorize(principal, { action: 'view', resourceType: request.part ?? 'event', ...ids })
    assertCounted(principal, config, { stream, part: request.part })
    const hiddenPointers =
      principal.mode === 'user' || (request.includeGuarded && owns(principal, found)) ? [] : config.guards
    const key = { accountId: principal.accountId, stream, modelId: found.modelId }
    const sees = found.item && statesSeen(principal, config, found.item)
    const result = await work({ ...key, hiddenPointers, showsItems: principal.mode === 'user', ...(sees && { sees }) })
    // The guarded values were removed by these settings, which must still be current after the snapshots were read.
    if (!(await deps.lists.isCurrent(principal.accountId, ref, config))) throw new Conflict('list')
    return result
  })
}

/** The stats of a list count all of its items. @throws TOKEN_NOT_AUTHORIZED for a token from which conditions of rules may hide some */
function assertCounted(
  principal: AuthenticatedPrincipal,
  { list }: ListConfig,
  { stream, part }: { stream: Found['stream']; part: EventSubjectRequest['part'] },
): void {
  if (stream !== 'list' || part !== 'stats' || !viewsByConditions(principal, list.id)) return
  throw new AppError('TOKEN_NOT_AUTHORIZED', {
    message: 'Tokens whose rules have conditions on the items of this list cannot read its stats.',
  })
}

function statesSeen(
  principal: AuthenticatedPrincipal,
  config: ListConfig,
  item: Item,
): ((snapshot: string) => boolean) | undefined {
  const list = ruledList(config)
  if (!viewsByConditions(principal, list.id)) return undefined
  return (snapshot) => seesState(principal, list, itemFromSnapshot({ snapshot, revision: item.revision }, item))
}

type Found = {
  /** The item whose events are requested, in its current or last state. */
  item?: Item
  stream: 'list' | 'item' | 'index'
  modelId: string
  /** The ids that rules select by. */
  ids: Pick<AccessRequest, 'listId' | 'itemId' | 'indexId'> & { ownerId?: string | null }
}

/** @returns null if there is no such resource, or if it is hidden because it is not activated */
async function findSubject(
  deps: EventDeps,
  config: ListConfig,
  { principal, item, index }: EventSubjectRequest,
): Promise<Found | null> {
  const { list } = config
  if (item !== undefined) {
    const found = await findItemOrDeleted(deps, config, { principal, ref: item })
    const list = ruledList(config)
    return found && !isHiddenDraft(principal, list, found.item) ? foundItem(found.item) : null
  }
  if (index === undefined) return { stream: 'list', modelId: list.id, ids: { listId: list.id } }
  const found = findIndex(config.indexes, index)
  if (!found || (principal.mode === 'token' && !found.activated)) return null
  return { stream: 'index', modelId: found.id, ids: { listId: list.id, indexId: found.id } }
}

function foundItem(item: Item): Found {
  const { id, listId, identity } = item
  return { item, stream: 'item', modelId: id, ids: { listId, itemId: id, ownerId: identity?.id ?? null } }
}

function owns({ identity }: AuthenticatedPrincipal & { mode: 'token' }, { ids }: Found): boolean {
  return identity !== null && ids.ownerId === identity.id
}

function notFound(): AppError {
  return new AppError('REQUESTED_ENTITY_NOT_FOUND')
}
