import { contains, starts } from '#client/src/filters.ts'
import { conditionNames, isUsable } from './condition-names.ts'
import { type FoundItem, readFoundItems, readIndexes } from './found-items.ts'

/** Items that are offered, and items that are searched if no index can find them, at most. */
export const mostOffered = 20
export const mostLooked = 100

/** `looked`: how many of the newest items were searched, because no index can find them; null: all items were searched. */
export type Search = { items: FoundItem[]; looked: number | null }

/** Finds items of a list by name, with its indexes and alias. Without a text, the newest items. @throws ListdError */
export async function searchItems(list: string, text: string, signal: AbortSignal): Promise<Search> {
  const indexes = await readIndexes(list, signal)
  const alias = indexes.find((index) => index.alias && isUsable(index))?.pointer
  const names = conditionNames(indexes)
  if (text === '') return { items: await readFoundItems(list, { limit: mostOffered, alias }, signal), looked: null }
  if (names.length > 0) {
    const where = { or: names.map((name) => ({ [name]: partOf(text) })) }
    return { items: await readFoundItems(list, { where, limit: mostOffered, alias }, signal), looked: null }
  }
  const newest = await readFoundItems(list, { limit: mostLooked, alias }, signal)
  const wanted = text.toLowerCase()
  return { items: newest.filter(({ title }) => title.toLowerCase().includes(wanted)), looked: newest.length }
}

/** A condition that a value contains a text, or begins with it if the service would read the text as another condition. */
function partOf(text: string) {
  try {
    return contains(text)
  } catch {
    return starts(text)
  }
}
