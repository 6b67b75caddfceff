import { objectMembers } from '#shared/json/offsets.ts'
import type { Item } from './item.ts'

type Fields = Pick<Item, 'description' | 'tags' | 'version' | 'readonly' | 'activated' | 'locked' | 'size'>

/**
 * An earlier state of an item, from the snapshot of its event: `serializeItem` reversed. What no change of an item touches,
 * the owner included, is as the item has it now.
 */
export function itemFromSnapshot(
  { snapshot, revision }: { snapshot: string; revision: number },
  { id, accountId, listId, identity, createdAt }: Item,
): Item {
  const members = objectMembers(snapshot, 0)
  const data = members.find(({ key }) => key === 'data')
  const rest = members.filter(({ key }) => key !== 'data').map(({ start, end }) => snapshot.slice(start, end))
  const fields = JSON.parse(`{${rest.join(',')}}`) as Fields & { updatedAt: string }
  const { description, tags, version, readonly, activated, locked, size, updatedAt } = fields
  return {
    ...{
      id,
      accountId,
      listId,
      identity,
      createdAt,
      updatedAt: Date.parse(updatedAt),
      data: data ? snapshot.slice(data.value, data.end) : 'null',
    },
    ...{ description, tags, version, revision, readonly, activated, locked, size },
  }
}
