import type { Item } from '#shared/domain/item/item.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import type { KnownCaller } from '../../request/principal.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import { listChanged, withList } from '../lists/with-list.ts'
import { commitItem, type ItemStep } from './commit-item.ts'
import type { ItemResult } from './create-item.ts'
import { matchesRevision } from './if-match.ts'
import { findItem, type ItemRequest, visibleList } from './load-item.ts'

export type ItemChangeRequest = ItemRequest & { ifMatch: string | undefined; requestId: string }

/** An item that is changed this often by others while one request tries. */
const maxAttempts = 50

/**
 * Changes an item that exists: finds it, checks what holds for every change, lets `decide` make the next state and
 * commits that. Overtaken by another change, it begins again with the item as it is then.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, ITEM_PRECONDITION_FAILED, LIST_READONLY, ITEM_LOCKED, what
 *   `decide` throws, ITEM_ALIAS_TAKEN, SERVICE_UNAVAILABLE
 */
export function changeItem(
  deps: Deps,
  request: ItemChangeRequest,
  decide: (before: Item, config: ListConfig) => Omit<ItemStep, 'before'> | Promise<Omit<ItemStep, 'before'>>,
): Promise<ItemResult> {
  const { caller } = request
  return withList(deps.lists, { accountId: caller.accountId, ref: request.list }, async (found) => {
    const config = visibleList(found, request)
    return config.turns(request.item, () => attempts(deps, { config, request, decide }))
  })
}

async function attempts(
  deps: Deps,
  {
    config,
    request,
    decide,
  }: { config: ListConfig; request: ItemChangeRequest; decide: Parameters<typeof changeItem>[2] },
): Promise<ItemResult | typeof listChanged> {
  const { caller, requestId } = request
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await findItem(deps, config, request)
    if (before === listChanged) return listChanged
    refuseChange(config, before, request)
    const step = await decide(before, config)
    const item = await commitItem(deps, config, { before, ...step, caller, requestId })
    if (item === listChanged) return listChanged
    if (item !== 'item-changed') return { item, config }
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

function refuseChange(
  { list }: ListConfig,
  item: Item,
  { ifMatch, caller }: { ifMatch: string | undefined; caller: KnownCaller },
) {
  if (!matchesRevision(ifMatch, item.revision)) throw new AppError('ITEM_PRECONDITION_FAILED')
  if (list.readonly) throw new AppError('LIST_READONLY')
  if (item.locked && caller.mode === 'token') throw new AppError('ITEM_LOCKED')
}
