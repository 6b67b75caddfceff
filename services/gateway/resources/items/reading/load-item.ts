import { authorize } from '#services/gateway/auth/authorize.ts'
import { requestOn, seesState, viewsByConditions } from '#services/gateway/auth/item-states.ts'
import { notFoundOrForbidden } from '#services/gateway/auth/not-found.ts'
import { isHiddenDraft, visibilityFor } from '#services/gateway/auth/visibility.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import { findItemByAlias, type ItemLookup } from '#shared/data/items/items.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import { isId } from '#shared/domain/id.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'
import { assertBuilt } from '../questions/assert-built.ts'

/** The item of a request, and the action on it. */
export type ItemRequest = { principal: ItemPrincipal; list: string; item: string; action: Action }

/** Throws unless the list exists for this principal: one that is not activated is hidden from tokens. */
export function assertVisibleList(
  config: ListConfig | null,
  { principal, action }: Pick<ItemRequest, 'principal' | 'action'>,
): ListConfig {
  if (!config || (principal.mode === 'token' && !config.list.activated))
    throw notFoundOrForbidden(principal, action, 'item')
  return config
}

/**
 * The item of the list by id or by the value of its alias index; an id takes precedence.
 * @throws as `findItem`; Conflict when `config` is no longer current; REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED, as
 *   `authorize` decides; an item may be hidden because it is not activated
 */
export async function loadItem(
  deps: Pick<ItemDeps, 'db' | 'readItem'>,
  config: ListConfig,
  request: ItemRequest,
): Promise<Item> {
  const found = await findItem(deps, config, { principal: request.principal, ref: request.item })
  if (found?.configVersion !== config.list.configVersion) throw new Conflict('list')
  return assertActionAllowed(found.item, config, request)
}

/**
 * The current state of an item decides; for a change, `assertMutationAllowed` also checks the state after it.
 * @throws REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED, as `loadItem` does
 */
export function assertActionAllowed(
  item: Item | null,
  config: Pick<ListConfig, 'list' | 'indexes'>,
  { principal, action }: Pick<ItemRequest, 'principal' | 'action'>,
): Item {
  const list = ruledList(config)
  if (!item || isHidden(principal, list, { item, action })) throw notFoundOrForbidden(principal, action, 'item')
  authorize(principal, requestOn(principal, action, { list, item }))
  return item
}

/** Whether an item does not exist for a principal that acts on it. Rules without conditions may hide an item and still allow its change. */
function isHidden(
  principal: ItemPrincipal,
  list: RuledList,
  { item, action }: { item: Item; action: Action },
): boolean {
  if (isHiddenDraft(principal, list, item)) return true
  return action !== 'view' && viewsByConditions(principal, list.id) && !seesState(principal, list, item)
}

/**
 * The item by id or alias, whether the principal may see it or not; null when the list no longer exists.
 * @throws INDEX_BUILDING, INDEX_BUILD_FAILED when an alias cannot be looked up, for a principal that may see items of the list
 */
export async function findItem(
  deps: Pick<ItemDeps, 'db' | 'readItem'>,
  config: ListConfig,
  { principal, ref }: { principal: ItemPrincipal; ref: string },
): Promise<ItemLookup | null> {
  const { list, aliasIndex } = config
  const owner = { accountId: list.accountId, listId: list.id }
  const isBuilt = aliasIndex?.buildStatus === 'ready'
  const byId = !isBuilt || isId(ref) ? await deps.readItem({ ...owner, itemId: isId(ref) ? ref : noId }) : null
  if (byId?.item || !aliasIndex) return byId
  if (isBuilt) return findItemByAlias(deps.db, { ...owner, indexId: aliasIndex.valuesId, alias: ref })
  await assertAliasesBuilt(deps, config, principal)
  return byId
}

/**
 * Throws if nothing can be found by alias, for a principal that may see items of the list: it would otherwise miss an existing item.
 * @throws INDEX_BUILDING, INDEX_BUILD_FAILED
 */
export async function assertAliasesBuilt(
  { db }: Pick<ItemDeps, 'db'>,
  { aliasIndex, ...config }: Pick<ListConfig, 'list' | 'indexes' | 'aliasIndex'>,
  principal: ItemPrincipal,
): Promise<void> {
  if (aliasIndex && visibilityFor(principal, ruledList(config)).kind !== 'none')
    await assertBuilt(db, aliasIndex, principal)
}

/** Read in place of text that is not an id: finds no item, but the list's version. */
const noId = ''
