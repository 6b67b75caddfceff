import type { ItemConditions } from '#client/src/filters.ts'
import { maxIndexesPerList } from '#shared/domain/limits.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { compact } from '#shared/json/text/layout.ts'
import { elementsOf } from '#shared/json/text/parts.ts'
import { client } from '../../api/client.ts'
import { aliasOf, naming, titleOf } from '../lists/item-title.ts'

/** An item as a reference shows it. */
export type FoundItem = { id: string; alias: string | null; title: string }

type Asked = {
  where?: ItemConditions
  limit: number
  /** The pointer of the alias; undefined: the list has none. */
  alias?: string | undefined
}

/** Reads items of a list with their titles and aliases, without the rest of their data. @throws ListdError */
export async function readFoundItems(
  list: string,
  { where, limit, alias }: Asked,
  signal?: AbortSignal,
): Promise<FoundItem[]> {
  const fields = [...naming.map((name) => childPointer('', name)), ...(alias === undefined ? [] : [alias])]
  const options = { ...(where ? { where } : {}), limit, fields, signal }
  const page = compact(await client.list(list).items(options).after().text())
  return elementsOf(findAt(page, '/data') ?? '[]').map((item) => {
    const data = findAt(item, '/data') ?? 'null'
    const id = JSON.parse(findAt(item, '/id') ?? '""') as string
    const name = aliasOf(data, alias)
    return { id, alias: name, title: titleOf({ id, data }, name) }
  })
}

/** The indexes of a list. @throws ListdError */
export function readIndexes(list: string, signal?: AbortSignal) {
  return client.list(list).indexes.all({ signal }).toArray(maxIndexesPerList)
}
