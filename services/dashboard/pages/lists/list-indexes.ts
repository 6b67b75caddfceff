import type { Index } from '#client/src/types/resources.ts'
import { maxIndexesPerList } from '#shared/domain/limits.ts'
import { client } from '../../api/client.ts'
import { pollMs } from '../../api/hinted.ts'
import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'

/** The key of a list's indexes. Code that changes them calls `refresh` with this key. */
export const indexesKey = (list: string) => `indexes ${list}`

/** How often indexes are read again while one of them is being built. */
const buildsEveryMs = 3_000

export function useIndexes(list: string): Resource<readonly Index[]> {
  return useResource(
    indexesKey(list),
    (signal) =>
      client.list(list).indexes.all({ order: 'createdAt', direction: 'asc', signal }).toArray(maxIndexesPerList),
    {
      everyMs: (indexes) =>
        indexes.some(({ buildStatus }) => buildStatus === 'building') ? pollMs(buildsEveryMs) : null,
    },
  )
}
