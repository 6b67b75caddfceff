import { inList } from '#client/src/filters.ts'
import type { Index } from '#client/src/types/resources.ts'
import { client } from '../../api/client.ts'
import { indexLists, meantLists } from './index-lists.ts'

const mostLists = 100

/** The existing lists that the values of indexes may refer to, by the pointers of the indexes. @throws ListdError */
export async function readIndexLists(indexes: readonly Index[], signal: AbortSignal): Promise<Map<string, string>> {
  const meant = meantLists(indexes)
  const names = [...new Set([...meant.values()].flat())]
  if (names.length === 0) return new Map()
  const { data } = await client.lists.all({ where: { pathName: inList(names) }, limit: mostLists, signal }).page(1)
  return indexLists(
    meant,
    data.map(({ pathName }) => pathName),
  )
}
