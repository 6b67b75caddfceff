import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { writeIndexChange } from '#shared/data/lists/index-changes.ts'
import { findList, readIndexes } from '#shared/data/lists/lists.ts'
import { type IndexChange, withBuild } from '#shared/domain/list/index-build.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { itemWords, noWords } from '#shared/domain/search/item-words.ts'
import { itemChange, makeList, testId, testItem } from '../databases/contents/rows.ts'

export type SearchedList = Awaited<ReturnType<typeof searchedList>>

/** A list with a `searching` index on each of these properties, and functions that write its items like a gateway. */
export async function searchedList(db: Database, properties: readonly string[]) {
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const list = async () => {
    const found = await findList(db, at.accountId, at.listId)
    if (!found) throw new Error('the list is gone')
    return found
  }
  const change = async (indexChange: IndexChange) => {
    const current = await list()
    await db.transaction((tx) => writeIndexChange(tx, current, indexChange))
  }
  const addIndex = async (property: string): Promise<ListIndex> => {
    const body = { pathName: property, pointer: `/${property}`, searching: true }
    const created = newIndex(body, { id: newId(), ...at, at: 0 })
    const index = withBuild(null, created, { items: (await list()).itemCount, newId })
    await change({ before: null, after: index })
    return index
  }
  const indexes: ListIndex[] = []
  for (const property of properties) indexes.push(await addIndex(property))
  /** Writes an item: `before` is its current revision; null creates it. `data` null deletes it. */
  const write = async (data: unknown, { id = testId(), before = null as number | null } = {}): Promise<string> => {
    const { termsId, configVersion } = await list()
    const text = JSON.stringify(data)
    const item = { ...testItem(at, id, (before ?? 0) + 1), data: text, size: Buffer.byteLength(text) }
    const words = data === null ? noWords : itemWords(await readIndexes(db, at.accountId, at.listId), data)
    const terms = termsId === null ? {} : { terms: { ...words, termsId } }
    const after = data === null ? null : item
    await committer.commit(
      itemChange(at, {
        itemId: id,
        expectedRevision: before,
        after,
        list: { id: at.listId, configVersion },
        ...terms,
      }),
    )
    return id
  }
  const terms = async () => {
    const { termsId, configVersion } = await list()
    return { listId: at.listId, configVersion, termsId: termsId ?? -1 }
  }
  return { at, indexes, list, change, addIndex, write, terms }
}

/** The stored words of items: for each item its words with their frequencies, in order. */
export async function storedWords(db: Database): Promise<Record<string, string>> {
  const rows = await db.all<{ item_id: string; term: string; frequency: unknown }>(
    "select item_id, term, frequency from item_terms where term <> '' order by item_id, term",
  )
  const words = Map.groupBy(rows, ({ item_id }) => item_id)
  return Object.fromEntries(
    Array.from(words, ([id, all]) => [id, all.map(({ term, frequency }) => `${term} ${Number(frequency)}`).join(', ')]),
  )
}
