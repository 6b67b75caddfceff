import type { Index } from '#client/src/types/resources.ts'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { maxConditionLists, maxIndexesPerList } from '#shared/domain/limits.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'

/** The indexes of lists by the ids of these; a list that is gone is not there. */
export type IndexesOfLists = ReadonlyMap<string, readonly Index[]>

/** Those of the lists that conditions of rules may name, a hundred at most. @param lists their ids */
export function useIndexesOf(lists: readonly string[]) {
  const ids = [...new Set(lists)].filter((id) => id !== '*').slice(0, maxConditionLists)
  return useResource(`indexes of lists ${ids.join()}`, async (signal): Promise<IndexesOfLists> => {
    const found = new Map<string, readonly Index[]>()
    for (const id of ids) {
      const all = client.list(id).indexes.all({ order: 'createdAt', direction: 'asc', signal })
      await all.toArray(maxIndexesPerList).then(
        (indexes) => found.set(id, indexes),
        (failure) => {
          if (toListdError(failure).status !== 404) throw failure
        },
      )
    }
    return found
  })
}

/** Indexes as rules ask about them. What a list keeps to itself plays no part in one item. */
export function toListIndexes(lists: IndexesOfLists, listId: string): readonly ListIndex[] | undefined {
  const indexes = lists.get(listId)
  if (!indexes) return undefined
  const known = created.get(indexes) ?? indexes.map((index) => toListIndex(index, listId))
  created.set(indexes, known)
  return known
}

/** Rules are bound once to the same array. */
const created = new WeakMap<readonly Index[], readonly ListIndex[]>()

function toListIndex({ progress: _, ...index }: Index, listId: string): ListIndex {
  const times = { createdAt: Date.parse(index.createdAt), updatedAt: Date.parse(index.updatedAt) }
  return { ...index, ...times, listId, accountId: '', valuesId: index.id, arrays: true }
}
