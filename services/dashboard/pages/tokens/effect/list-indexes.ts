import type { Index } from '#client/src/types/resources.ts'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { maxConditionLists, maxIndexesPerList } from '#shared/domain/limits.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'

/** The indexes of lists, by list id. Lists that no longer exist are left out. */
export type IndexesOfLists = ReadonlyMap<string, readonly Index[]>

/** Reads the indexes of the lists of rules: of at most `maxConditionLists` lists. @param lists their ids */
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

/** The indexes of a list in the form that rules need. Fields that the API does not return have no effect on a single item. */
export function toListIndexes(lists: IndexesOfLists, listId: string): readonly ListIndex[] | undefined {
  const indexes = lists.get(listId)
  if (!indexes) return undefined
  const known = created.get(indexes) ?? indexes.map((index) => toListIndex(index, listId))
  created.set(indexes, known)
  return known
}

/** Keeps the same array for the same indexes, so that rules are bound to it only once. */
const created = new WeakMap<readonly Index[], readonly ListIndex[]>()

function toListIndex({ progress: _, ...index }: Index, listId: string): ListIndex {
  const times = { createdAt: Date.parse(index.createdAt), updatedAt: Date.parse(index.updatedAt) }
  return { ...index, ...times, listId, accountId: '', valuesId: index.id, arrays: true }
}
