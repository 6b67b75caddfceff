import { Conflict } from '#shared/data/conflict.ts'
import { findItems, findItemsByAlias } from '#shared/data/items/items.ts'
import { isId } from '#shared/domain/id.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { AppError } from '#shared/errors.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/** The most items of one statement: an item can have 1 MiB. */
const perStatement = 32
const maxBytes = 32 * 1024 * 1024

/**
 * The items of the list that exist among these, by the id or alias that names each, an id first.
 * @throws Conflict when `config` is no longer current; PAYLOAD_TOO_LARGE for more than 32 MiB of data
 */
export async function findNamedItems(
  deps: Pick<ItemDeps, 'db'>,
  { list, aliasIndex }: ListConfig,
  refs: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const owner = { accountId: list.accountId, listId: list.id }
  const named = new Map<string, Item>()
  let bytes = 0

  type Found = Awaited<ReturnType<typeof findItems>>
  async function read(wanted: readonly string[], find: (some: readonly string[]) => Promise<Found>): Promise<void> {
    for (let start = 0; start < wanted.length; start += perStatement) {
      const found = await find(wanted.slice(start, start + perStatement))
      if (found?.configVersion !== list.configVersion) throw new Conflict('list')
      for (const [ref, item] of found.items) {
        bytes += item.size
        named.set(ref, item)
      }
      if (bytes > maxBytes) throw tooLarge()
    }
  }

  await read(refs.filter(isId), (ids) => findItems(deps.db, owner, ids))
  const others = refs.filter((ref) => !named.has(ref))
  if (aliasIndex) {
    await read(others, (aliases) => findItemsByAlias(deps.db, { ...owner, indexId: aliasIndex.valuesId, aliases }))
  }
  return named
}

function tooLarge(): AppError {
  const message = 'A batch changes and deletes at most 32 MiB of items; send fewer operations at a time.'
  return new AppError('PAYLOAD_TOO_LARGE', { message })
}
