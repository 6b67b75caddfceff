import { refresh } from '../../api/resource.ts'
import { listKey } from './list-page.tsx'

/** What is read about the items of a list begins with this. */
export const itemsKey = (list: string) => `items ${list} `

/** After items were written: what shows items of the list, or counts them, reads them again. */
export function refreshItems(list: string): void {
  refresh(itemsKey(list))
  refresh(listKey(list))
}
