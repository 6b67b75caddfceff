import type { ItemRows } from './table/item-rows.ts'

type Search = { limit: number; onExamined(items: number): void }

/**
 * Reads a page of items. The service may end a call before the page is full; further calls continue from there until the page is full
 * or there are no more items.
 * @param read reads the rows after a cursor, at most `limit`
 */
export async function searchPage(
  read: (after: string, limit: number) => Promise<ItemRows>,
  after: string,
  { limit, onExamined }: Search,
): Promise<ItemRows> {
  try {
    let page = await read(after, limit)
    while (page.examined > 0 && page.next !== null && page.rows.length < limit) {
      onExamined(page.examined)
      const more = await read(page.next, limit - page.rows.length)
      // A call that fills the page does not report how many items it examined.
      const examined = more.examined > 0 ? page.examined + more.examined : 0
      page = { rows: [...page.rows, ...more.rows], next: more.next, examined }
    }
    return page
  } finally {
    onExamined(0)
  }
}
