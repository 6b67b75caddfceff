import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { Conflict } from '#shared/data/conflict.ts'
import { findLastEvent } from '#shared/data/events/event-log.ts'
import { isId } from '#shared/domain/id.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { readSnapshot } from '#shared/domain/item/snapshot.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'
import { findItem } from './load-item.ts'

/** An item as it is, or as it was when it was deleted: then `deletedAt`, in epoch milliseconds, and its last revision. */
export type ItemOrDeleted = { item: Item; deletedAt: number | null }

type Deps = Pick<ItemDeps, 'db' | 'readItem'>
type ItemRef = { principal: AuthenticatedPrincipal; ref: string }

/**
 * An item by id or alias. A deleted item is found by its id only, as long as its events are kept. An id takes precedence over an alias.
 * @throws as `findItem`; Conflict when `config` is no longer current
 */
export async function findItemOrDeleted(deps: Deps, config: ListConfig, item: ItemRef): Promise<ItemOrDeleted | null> {
  const { id: listId, accountId } = config.list
  const byId = isId(item.ref)
  const found = await findCurrentItem(deps, byId ? { ...config, aliasIndex: null } : config, item)
  if (found || !byId) return found && { item: found, deletedAt: null }
  const last = await findLastEvent(deps.db, { accountId, listId, itemId: item.ref })
  if (last) return { item: readSnapshot(last, { accountId, listId }), deletedAt: last.createdAt }
  const named = config.aliasIndex && (await findCurrentItem(deps, config, item))
  return named && { item: named, deletedAt: null }
}

async function findCurrentItem(deps: Deps, config: ListConfig, item: ItemRef): Promise<Item | null> {
  const found = await findItem(deps, config, item)
  if (found?.configVersion !== config.list.configVersion) throw new Conflict('list')
  return found.item
}
