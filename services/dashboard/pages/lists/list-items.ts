import { refresh } from '../../api/reader.ts'
import { listKey } from './list-page.tsx'

/** What is read about the items of a list begins with this. */
export const itemsKey = (list: string) => `items ${list} `

/** After items were written: what shows items of the list, or counts them, reads them again. */
export function refreshItems(list: string): void {
  refresh(itemsKey(list))
  refresh(listKey(list))
}

let shown: { list: string; ids: readonly string[] } = { list: '', ids: [] }

/** Remembers which items a table shows, in its order. */
export function rememberItems(list: string, ids: readonly string[]): void {
  shown = { list, ids }
}

/** The item before or behind another one in the table that was shown last; null: there is none. */
export function neighbourOf(list: string, id: string, step: 1 | -1): string | null {
  const at = shown.list === list ? shown.ids.indexOf(id) : -1
  return at < 0 ? null : (shown.ids[at + step] ?? null)
}
