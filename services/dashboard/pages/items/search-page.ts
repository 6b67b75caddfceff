import type { ItemRows } from './table/item-rows.ts'

type Search = { limit: number; onExamined(items: number): void }

/**
 * A page of items, where the service may end a call before the page is full: it is asked again from there, until the page is full
 * or the items end.
 * @param read reads a page behind a cursor, of at most so many rows
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
      // The call that finds the rest does not tell how many items it examined for it.
      const examined = more.examined > 0 ? page.examined + more.examined : 0
      page = { rows: [...page.rows, ...more.rows], next: more.next, examined }
    }
    return page
  } finally {
    onExamined(0)
  }
}
