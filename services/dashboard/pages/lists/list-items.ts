import { refresh } from '../../api/reader.ts'
import { listKey } from './list-page.tsx'

/** The prefix of the keys of everything that is read about the items of a list. */
export const itemsKey = (list: string) => `items ${list} `

/** Call after a write of items: everything that shows or counts items of the list is read again. */
export function refreshItems(list: string): void {
  refresh(itemsKey(list))
  refresh(listKey(list))
}

let shown: { list: string; ids: readonly string[] } = { list: '', ids: [] }

/** Remembers the items that a table shows, in its order. */
export function rememberItems(list: string, ids: readonly string[]): void {
  shown = { list, ids }
}

/** The previous (-1) or next (1) item in the table that was shown last; null: there is none. */
export function neighbourOf(list: string, id: string, step: 1 | -1): string | null {
  const at = shown.list === list ? shown.ids.indexOf(id) : -1
  return at < 0 ? null : (shown.ids[at + step] ?? null)
}
