import type { Item } from '#shared/domain/item/item.ts'
import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import { listChanged, withList } from '../lists/with-list.ts'
import { commitItem, type ItemMutation } from './commit-item.ts'
import type { ItemResult } from './create-item.ts'
import { matchesRevision } from './if-match.ts'
import { assertVisibleList, type ItemRequest, loadItem } from './load-item.ts'

export type ItemModification = ItemRequest & { ifMatch: string | undefined; requestId: string }

/** Beyond this many concurrent changes of the item the request gives up. */
const maxAttempts = 50

/**
 * Changes an existing item: loads it, checks the rules for every change, lets `computeNext` make the next state and commits
 * that. After a concurrent change it starts again with the item's new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, ITEM_PRECONDITION_FAILED, LIST_READONLY, ITEM_LOCKED, what
 *   `computeNext` throws, ITEM_ALIAS_TAKEN, SERVICE_UNAVAILABLE
 */
export function modifyItem(
  deps: Deps,
  request: ItemModification,
  computeNext: (
    before: Item,
    config: ListConfig,
  ) => Omit<ItemMutation, 'before'> | Promise<Omit<ItemMutation, 'before'>>,
): Promise<ItemResult> {
  const { principal } = request
  return withList(deps.lists, { accountId: principal.accountId, ref: request.list }, async (found) => {
    const config = assertVisibleList(found, request)
    return config.mutex(request.item, () => attempts(deps, { config, request, computeNext }))
  })
}

async function attempts(
  deps: Deps,
  {
    config,
    request,
    computeNext,
  }: { config: ListConfig; request: ItemModification; computeNext: Parameters<typeof modifyItem>[2] },
): Promise<ItemResult | typeof listChanged> {
  const { principal, requestId } = request
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const before = await loadItem(deps, config, request)
    if (before === listChanged) return listChanged
    assertChangeAllowed(config, before, request)
    const mutation = await computeNext(before, config)
    const item = await commitItem(deps, config, { before, ...mutation, principal, requestId })
    if (item === listChanged) return listChanged
    if (item !== 'item-changed') return { item, config }
  }
  throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
}

function assertChangeAllowed(
  { list }: ListConfig,
  item: Item,
  { ifMatch, principal }: { ifMatch: string | undefined; principal: AuthenticatedPrincipal },
) {
  if (!matchesRevision(ifMatch, item.revision)) throw new AppError('ITEM_PRECONDITION_FAILED')
  if (list.readonly) throw new AppError('LIST_READONLY')
  if (item.locked && principal.mode === 'token') throw new AppError('ITEM_LOCKED')
}
