import { retryOnConflict } from '#shared/data/conflict.ts'
import { isId } from '#shared/domain/id.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/**
 * Runs a change of items after earlier changes of the same items in this process, and again if another change was committed first. A
 * change that names an item by alias first waits for others that use the alias, because the id is not known yet. If another change was
 * committed first, it leaves the queue of the alias and joins that of the id, so that it never holds one of the two while it waits for
 * the other.
 * @param refs ids and aliases of the items
 * @param change reports the id of each item that it found, before it changes it
 * @throws the errors of `change`; SERVICE_UNAVAILABLE
 */
export function changeItems<T>(
  { exclusive }: Pick<ItemDeps, 'exclusive'>,
  { list }: ListConfig,
  refs: readonly string[],
  change: (willChange: (id: string) => void) => Promise<T>,
): Promise<T> {
  const ids = new Set(refs.filter(isId))
  const attempt = () => change((id) => ids.add(id))

  async function alone(names: Iterable<string>, work: () => Promise<T>): Promise<T> {
    using _section = await exclusive([...names].map((name) => exclusiveKey(list, name)))
    return await work()
  }
  const byId = () => alone(ids, () => retryOnConflict('item', attempt))
  if (refs.every(isId)) return byId()
  return retryOnConflict('item', (failures) => (failures === 0 ? alone(new Set(refs), attempt) : byId()))
}

/** The key under which changes of an item wait for each other. @param name its id, or an alias while the id is not known */
export function exclusiveKey({ accountId, id }: ListConfig['list'], name: string): string {
  return `${accountId}/${id}/${name}`
}
