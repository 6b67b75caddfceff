import { type ItemLookup, readItemByAlias } from '#shared/data/items/items.ts'
import { isId } from '#shared/domain/id.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { Action } from '#shared/domain/permission-rule.ts'
import { authorize } from '../../auth/authorize.ts'
import { notFoundOrForbidden } from '../../auth/not-found.ts'
import type { Deps } from '../../context.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListConfig } from '../lists/list-cache.ts'
import { listChanged } from '../lists/with-list.ts'

/** Which item is meant, and what the principal wants to do to it. */
export type ItemRequest = { principal: AuthenticatedPrincipal; list: string; item: string; action: Action }

/** The list that the principal names, when it is there for this principal: one that is not activated is hidden from tokens. */
export function visibleList(
  config: ListConfig | null,
  { principal, action }: Pick<ItemRequest, 'principal' | 'action'>,
): ListConfig {
  if (!config || (principal.mode === 'token' && !config.list.activated))
    throw notFoundOrForbidden(principal, action, 'item')
  return config
}

/**
 * The item of the list by id or by the value of its alias index, an id first.
 * @returns `listChanged` when the list is no longer as `config` says
 * @throws REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED, as `authorize` decides; items that are not activated are
 *   hidden from tokens
 */
export async function loadItem(
  deps: Deps,
  config: ListConfig,
  request: ItemRequest,
): Promise<Item | typeof listChanged> {
  const found = await findItem(deps, config, request.item)
  if (found?.configVersion !== config.list.configVersion) return listChanged
  const { principal, action } = request
  const { item } = found
  if (!item || (principal.mode === 'token' && !item.activated)) throw notFoundOrForbidden(principal, action, 'item')
  const ownerId = item.identity?.id ?? null
  authorize(principal, { action, resourceType: 'item', listId: item.listId, itemId: item.id, ownerId })
  return item
}

/** The item by id or alias, whoever asks; null when the list is gone. */
export async function findItem(deps: Deps, { list, aliasIndex }: ListConfig, ref: string): Promise<ItemLookup | null> {
  const owner = { accountId: list.accountId, listId: list.id }
  const byId = !aliasIndex || isId(ref) ? await deps.readItem({ ...owner, itemId: isId(ref) ? ref : noId }) : null
  if (byId?.item || !aliasIndex) return byId
  return readItemByAlias(deps.db, { ...owner, indexId: aliasIndex.id, alias: ref })
}

/** Asked for what cannot be an id: no item, but the list's version. */
const noId = ''
