import { objectMembers } from '#shared/json/text/offsets.ts'
import type { Item } from './item.ts'

/** An event's snapshot of an item, and the item's revision after the event. */
export type ItemSnapshot = { snapshot: string; revision: number }

/** An earlier state of an item, from the snapshot of its event. Fields that never change, such as the owner, are read from the current item. */
export function itemFromSnapshot(earlier: ItemSnapshot, { accountId, listId, identity }: Item): Item {
  return { ...readSnapshot(earlier, { accountId, listId }), identity }
}

/** The item in a snapshot, its owner included: `serializeItem` reversed. */
export function readSnapshot({ snapshot, revision }: ItemSnapshot, of: { accountId: string; listId: string }): Item {
  const members = objectMembers(snapshot, 0)
  const data = members.find(({ key }) => key === 'data')
  const rest = members.filter(({ key }) => key !== 'data').map(({ start, end }) => snapshot.slice(start, end))
  const { createdAt, updatedAt, ...fields } = JSON.parse(`{${rest.join(',')}}`) as SnapshotFields
  return {
    ...fields,
    accountId: of.accountId,
    listId: of.listId,
    revision,
    createdAt: Date.parse(createdAt),
    updatedAt: Date.parse(updatedAt),
    data: data ? snapshot.slice(data.value, data.end) : 'null',
  }
}

/**
 * A deleted item with the revision of its last state, as reported by the answer to its deletion. The deletion itself increments the
 * revision, but no answer reports that.
 */
export function asLastReported<T extends { revision: number }>(deleted: T): T {
  return { ...deleted, revision: deleted.revision - 1 }
}

type SnapshotFields = Omit<Item, 'accountId' | 'listId' | 'revision' | 'data' | 'createdAt' | 'updatedAt'> & {
  createdAt: string
  updatedAt: string
}
