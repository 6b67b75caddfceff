import { inList } from '#client/src/filters.ts'
import { client } from '#services/dashboard/api/client.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import { elementsOf } from '#shared/json/text/parts.ts'

/** Items that are read at most, and bytes of their data in total: a list may hold items of 1 MiB each. */
const mostSamples = 50
const mostBytes = 200_000

/** The data of the newest items of a list, as compact texts, up to `mostSamples` items and `mostBytes` bytes. @throws ListdError */
export async function readNewestSamples(list: string, signal: AbortSignal): Promise<string[]> {
  const items = client.list(list)
  const { data: newest } = await items.items({ limit: mostSamples, includeData: false, signal }).after()
  const ids: string[] = []
  let bytes = 0
  for (const { id, size } of newest) {
    bytes += size
    if (bytes > mostBytes) break
    ids.push(id)
  }
  if (ids.length === 0) return []
  const page = compact(
    await items
      .items({ where: { id: inList(ids) }, limit: ids.length, signal })
      .after()
      .text(),
  )
  return elementsOf(findAt(page, '/data') ?? '[]').map((item) => findAt(item, '/data') ?? 'null')
}
