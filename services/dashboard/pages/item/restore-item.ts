import type { Event } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { messageOf } from '../../parts/problems/problem.tsx'
import { refreshItems } from '../lists/list-items.ts'
import { type ItemText, readItem } from './item-text.ts'

/** Restores an item to its state after an event. @throws ListdError */
export async function restoreItem(list: string, id: string, event: string): Promise<ItemText> {
  const item = readItem(await client.list(list).restore(id, event).text())
  refreshItems(list)
  return item
}

/** The id of the event before an item's newest one, to restore the item to; null: there is no earlier event. */
export async function findEventToUndo(list: string, id: string): Promise<string | null> {
  const newest = await client.list(list).events(id, { limit: 2 }).after()
  return newest.data[1]?.id ?? null
}

/** Deletes an item, and offers to undo this for 30 s: the restored item has the same id. @throws ListdError */
export async function deleteItem(list: string, item: ItemText, title: string): Promise<void> {
  await client.list(list).delete(item.id, { ifMatch: item.etag, includeData: false })
  refreshItems(list)
  announce(`${title} was deleted.`, { undo: () => undoNewest(list, item.id, `${title} was restored.`) })
}

/** Undoes the newest change of an item, and announces the result. */
export async function undoNewest(list: string, id: string, done: string): Promise<void> {
  try {
    const event = await findEventToUndo(list, id)
    if (event) await restoreItem(list, id, event)
    announce(event ? done : 'There is no earlier version to restore.', { bad: !event })
  } catch (failure) {
    announce(`Undo failed. ${messageOf(toListdError(failure))}`, { bad: true })
  }
}

/** Whether the newest event of an item is its deletion. */
export const isDeletion = ({ type }: Event) => type === 'item-deleted'
