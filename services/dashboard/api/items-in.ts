import type { List } from '#client/src/main.ts'

/** The number of items of a list. It is always known to users, who see all items; for some tokens it is not. */
export function itemsIn({ itemCount }: Pick<List, 'itemCount'>): number {
  return itemCount ?? 0
}
