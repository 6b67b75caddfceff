import { Conflict } from '#shared/data/conflict.ts'
import { findItems, findItemsByAlias } from '#shared/data/items/items.ts'
import { isId } from '#shared/domain/id.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/** The names in operations: items by id or alias (an id takes precedence), and items by alias alone. */
export type Named = { refs: readonly string[]; aliases: readonly string[] }

/** The existing items among the named ones, by their names in the operations. */
export type NamedItems = { byRef: ReadonlyMap<string, Item>; byAlias: ReadonlyMap<string, Item> }

/**
 * The items of the list that operations name, read with at most two statements. Nothing is found by an alias while the index is being
 * built: see `assertAliasesBuilt`.
 * @throws Conflict when `config` is no longer current
 */
export async function findNamedItems(
  { db }: Pick<ItemDeps, 'db'>,
  { list, aliasIndex }: ListConfig,
  { refs, aliases }: Named,
): Promise<NamedItems> {
  const owner = { accountId: list.accountId, listId: list.id }
  const isBuilt = aliasIndex?.buildStatus === 'ready'
  const ids = isBuilt ? refs.filter(isId) : refs
  const byId = await itemsOf(ids, () => findItems(db, owner, ids))
  const sought = isBuilt ? [...new Set([...refs.filter((ref) => !byId.has(ref)), ...aliases])] : []
  const byAlias = await itemsOf(sought, () =>
    findItemsByAlias(db, { ...owner, indexId: aliasIndex?.valuesId ?? '', aliases: sought }),
  )
  return { byRef: new Map([...byAlias, ...byId]), byAlias }

  async function itemsOf(wanted: readonly string[], find: () => ReturnType<typeof findItems>) {
    if (wanted.length === 0) return new Map<string, Item>()
    const found = await find()
    if (found?.configVersion !== list.configVersion) throw new Conflict('list')
    return found.items
  }
}
