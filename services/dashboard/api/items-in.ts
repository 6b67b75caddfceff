import type { List } from '#client/src/main.ts'

/** How many items a list has. Users see all of them, so that they are counted; only for some tokens they are not. */
export function itemsIn({ itemCount }: Pick<List, 'itemCount'>): number {
  return itemCount ?? 0
}
