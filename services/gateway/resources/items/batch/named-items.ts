import { Conflict } from '#shared/data/conflict.ts'
import { findItems, findItemsByAlias } from '#shared/data/items/items.ts'
import { isId } from '#shared/domain/id.ts'
import type { Item } from '#shared/domain/item/item.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/**
 * The items of the list that exist among these, by the id or alias that names each, an id first. It takes two statements.
 * Nothing is found by an alias while the index is built: see `assertAliasesBuilt`.
 * @throws Conflict when `config` is no longer current
 */
export async function findNamedItems(
  { db }: Pick<ItemDeps, 'db'>,
  { list, aliasIndex }: ListConfig,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const owner = { accountId: list.accountId, listId: list.id }
  const isBuilt = aliasIndex?.buildStatus === 'ready'
  const ids = isBuilt ? refs.filter(isId) : refs
  const byId = await itemsOf(ids, () => findItems(db, owner, ids))
  const aliases = isBuilt ? refs.filter((ref) => !byId.has(ref)) : []
  const byAlias = await itemsOf(aliases, () =>
    findItemsByAlias(db, { ...owner, indexId: aliasIndex?.valuesId ?? '', aliases }),
  )
  return new Map([...byAlias, ...byId])

  async function itemsOf(wanted: readonly string[], find: () => ReturnType<typeof findItems>) {
    if (wanted.length === 0) return new Map<string, Item>()
    const found = await find()
    if (found?.configVersion !== list.configVersion) throw new Conflict('list')
    return found.items
  }
}
