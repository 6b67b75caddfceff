import { setImmediate as nextTick } from 'node:timers/promises'
import type { Item } from '#shared/domain/item/item.ts'
import type { Queries } from '../database.ts'
import type { ItemSet } from './item-set.ts'
import { type ItemPage, readItemPage } from './page.ts'

/** How many items one statement reads. */
const pageItems = 250

/**
 * The newest items of a set, at most `maxItems`. Once their data has `maxBytes`, no further page of items is read.
 * @param of.see as of `readItemPage`: the bytes are those of what is seen
 * @throws Conflict when the list is gone
 */
export async function* newestItems(
  db: Queries,
  of: { accountId: string; set: ItemSet; see?: ((item: Item) => Item) | undefined },
  { maxItems, maxBytes }: { maxItems: number; maxBytes: number },
): AsyncGenerator<Item> {
  const options = { ...of, filtered: false, withData: true }
  let after: string | null = ''
  for (let [items, bytes] = [0, 0]; after !== null && items < maxItems && bytes < maxBytes; ) {
    const limit = Math.min(maxItems - items, pageItems)
    const request = { limit, order: 'createdAt', direction: 'desc', filters: '', after } as const
    const { page }: ItemPage = await readItemPage(db, options, request)
    for (const item of page.data) {
      yield item
      items++
      bytes += item.size
      await nextTick() // for other requests: the data of one item may take milliseconds to parse
    }
    after = 'next' in page ? page.next : null
  }
}
