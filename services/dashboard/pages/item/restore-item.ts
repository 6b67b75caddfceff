import type { Event } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { messageOf } from '../../parts/problems/problem.tsx'
import { refreshItems } from '../lists/list-items.ts'
import { type ItemText, readItem } from './item-text.ts'

/** Brings an item back to how it was after an event, and says so. @throws ListdError */
export async function restoreItem(list: string, id: string, event: string): Promise<ItemText> {
  const item = readItem(await client.list(list).restore(id, event).text())
  refreshItems(list)
  return item
}

/** What an item was before its newest event, for who wants that back; null: it was not there. */
export async function findEventToUndo(list: string, id: string): Promise<string | null> {
  const newest = await client.list(list).events(id, { limit: 2 }).after()
  return newest.data[1]?.id ?? null
}

/** Deletes an item; for 30 s it can be had back, under the same id. @throws ListdError */
export async function deleteItem(list: string, item: ItemText, title: string): Promise<void> {
  await client.list(list).delete(item.id, { ifMatch: item.etag, includeData: false })
  refreshItems(list)
  announce(`${title} was deleted.`, { undo: () => undoNewest(list, item.id, `${title} was restored.`) })
}

/** Undoes the newest change of an item, and tells how that went. */
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
