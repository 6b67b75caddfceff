import type { Index } from '#client/src/types/resources.ts'
import { useResource } from '../../api/resource.ts'

const none: ReadonlyMap<string, string> = new Map()
const isOfIds = ({ pathName, pointer }: Index) => /ids?$/i.test(pathName) || /ids?$/i.test(pointer)

/**
 * The lists that the values of indexes refer to, guessed from their names, by the pointers of the indexes. The script that reads them is
 * loaded with the first index that may contain ids.
 */
export function useIndexLists(indexes: readonly Index[]): ReadonlyMap<string, string> {
  const some = indexes.filter(isOfIds)
  const named = some.map(({ pathName, pointer }) => `${pathName} ${pointer}`)
  const found = useResource(
    some.length > 0 ? `lists that are meant by ${named.join()}` : null,
    async (signal) => (await import('./read-index-lists.ts')).readIndexLists(some, signal),
    { stays: true },
  )
  return (some.length > 0 && !found.isOld && found.data) || none
}
