import type { Database } from '#shared/data/database.ts'
import { itemRows } from '#shared/data/items/columns.ts'
import { indexElementRows, indexValueRows, itemTagRows, itemTermRows } from '#shared/data/items/item-rows.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import type { IndexValue } from '#shared/domain/item/index-value.ts'
import { testItem } from './rows.ts'

export type ManyItems = {
  accountId: string
  listId: string
  count: number
  /** A value that every item has. */
  tag?: string
  /** Characters of each item's data. */
  dataLength?: number
  /** The index of the items' values; by default the list's id. */
  valuesId?: string
  /** The value of the n-th item; null: no value. */
  keyOf?: (n: number) => string | null
  /** The elements of the n-th item's array, without the smallest, which is its value. */
  elementsOf?: (n: number) => readonly string[]
  /** The key of the items' stored words, and the words of the n-th item. */
  words?: { termsId: number; of(n: number): readonly string[] }
}

/** More would make a transaction time out on a slow server. */
const perTransaction = 2_000

/** Writes items directly into the tables, every hundredth readonly, with their counters, tags and index values. */
export async function addManyItems(db: Database, many: ManyItems): Promise<void> {
  const numbers = Array.from({ length: many.count }, (_, n) => n + 1)
  for (let start = 0; start < many.count; start += perTransaction) {
    await addItems(db, numbers.slice(start, start + perTransaction), many)
  }
}

async function addItems(db: Database, numbers: readonly number[], { accountId, listId, ...more }: ManyItems) {
  const { tag = null, dataLength = 40, valuesId = listId, keyOf = () => 'x', elementsOf = () => [], words } = more
  const idOf = (n: number) => `${listId.slice(-8)}-0000-7000-9000-${String(n).padStart(12, '0')}`
  const data = JSON.stringify('x'.repeat(dataLength - 2))
  const items = numbers.map((n) => ({
    ...testItem({ accountId, listId }, idOf(n), 1),
    createdAt: n,
    updatedAt: n,
    data,
    size: dataLength,
    tags: tag === null ? [] : [tag],
    readonly: n % 100 === 0,
  }))
  await db.transaction(async (tx) => {
    await insertRows(tx, itemRows(items))
    const entries = items.map((item) => ({
      item,
      value: entryOf(valuesId, keyOf(item.createdAt), elementsOf(item.createdAt)),
    }))
    await insertRows(tx, indexValueRows(entries))
    await insertRows(tx, indexElementRows(entries))
    await insertRows(tx, itemTagRows(items.flatMap((item) => item.tags.map((each) => ({ item, tag: each })))))
    if (words)
      await insertRows(tx, itemTermRows(items.map((item) => ({ item, terms: termsOf(words, item.createdAt) }))))
    await tx.run('update lists set item_count = item_count + ? where id = ?', [numbers.length, listId])
  })
}

function entryOf(indexId: string, key: string | null, others: readonly string[]): IndexValue {
  const elements = others.map((each) => ({ orderKey: each, filterKey: each }))
  return { indexId, orderKey: key, filterKey: key, aliasText: null, elements }
}

function termsOf({ termsId, of }: NonNullable<ManyItems['words']>, n: number) {
  const words = of(n)
  const frequencies = new Map<string, number>()
  for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  return { termsId, frequencies, length: words.length }
}
