import { retryOnConflict } from '#shared/data/conflict.ts'
import { isId } from '#shared/domain/id.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { longStepBytes } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { untilLoopIsFree } from '#shared/time/time-slices.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import { withList } from '../lists/with-list.ts'
import { type Author, commitItem, type ItemMutation } from './commit-item.ts'
import type { ItemDeps, ItemResult } from './context.ts'
import { matchesRevision } from './if-match.ts'
import { assertVisibleList, type ItemRequest, loadItem } from './load-item.ts'

export type ItemModification = ItemRequest & Author & { ifMatch: string | undefined }

/** The change of an item, computed from its present state. */
type ComputeChange = (before: Item, config: ListConfig) => ItemMutation | Promise<ItemMutation>

/**
 * Changes an existing item: loads it, checks the rules for every change, computes the next state and commits that. After a
 * concurrent change it starts again with the item's new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, ITEM_PRECONDITION_FAILED, LIST_READONLY, ITEM_LOCKED, what
 *   `computeChange` throws, ITEM_ALIAS_TAKEN, SERVICE_UNAVAILABLE
 */
export function modifyItem(
  deps: ItemDeps,
  request: ItemModification,
  computeChange: ComputeChange,
): Promise<ItemResult> {
  const { principal, requestId, dryRun } = request
  return withList(deps.lists, { accountId: principal.accountId, ref: request.list }, async (found) => {
    const config = assertVisibleList(found, request)
    return afterOtherChanges(deps, config, {
      ref: request.item,
      load: async () => ({ item: await loadItem(deps, config, request) }),
      async change({ item: before }) {
        assertChangeAllowed(config, before, request)
        if (before.size > longStepBytes) await untilLoopIsFree()
        const mutation = await computeChange(before, config)
        return { item: await commitItem(deps, config, { ...mutation, principal, requestId, dryRun }), config }
      },
    })
  })
}

/**
 * Runs a change of an item after the others of this item; again when a change by another process came first. By alias it first waits
 * for the others by alias only, as the id is not known yet; when one by id came first it goes to the end of those. It holds one turn
 * at a time: a batch takes the turns of several items, and could wait for the other of two.
 */
export async function afterOtherChanges<Loaded extends { item: Item }, T>(
  deps: ItemDeps,
  { list }: ListConfig,
  { ref, load, change }: { ref: string; load: () => Promise<Loaded>; change: (loaded: Loaded) => Promise<T> },
): Promise<T> {
  const inTurn = <R>(name: string, work: () => Promise<R>) =>
    deps.itemMutex(`${list.accountId}/${list.id}/${name}`, work)
  let id = ref
  const attempt = async () => {
    const loaded = await load()
    id = loaded.item.id
    return change(loaded)
  }
  const amongThoseById = () => inTurn(id, () => retryOnConflict('item', attempt))
  if (isId(ref)) return amongThoseById()
  return retryOnConflict('item', (failures) => (failures === 0 ? inTurn(ref, attempt) : amongThoseById()))
}

/** @throws ITEM_PRECONDITION_FAILED, LIST_READONLY, ITEM_LOCKED */
export function assertChangeAllowed(
  { list }: ListConfig,
  item: Item,
  { ifMatch, principal }: { ifMatch?: string | undefined; principal: AuthenticatedPrincipal },
): void {
  if (!matchesRevision(ifMatch, item.revision)) throw new AppError('ITEM_PRECONDITION_FAILED')
  if (list.readonly) throw new AppError('LIST_READONLY')
  if (item.locked && principal.mode === 'token') throw new AppError('ITEM_LOCKED')
}
