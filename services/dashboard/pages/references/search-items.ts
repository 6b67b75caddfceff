import { contains, starts } from '#client/src/filters.ts'
import { conditionNames, isUsable } from './condition-names.ts'
import { type FoundItem, readFoundItems, readIndexes } from './found-items.ts'

/** Items that are offered, and those that are looked through where no index finds any. */
export const mostOffered = 20
export const mostLooked = 100

/** `looked`: how many of the newest items were looked through, as no index finds them; null: all were searched. */
export type Search = { items: FoundItem[]; looked: number | null }

/** Items of a list that a text names: by the indexes that name things, the alias among them. The newest ones without a text. @throws ListdError */
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

/** A part of a text; one that would mean something else to the service is looked for at the beginning. */
function partOf(text: string) {
  try {
    return contains(text)
  } catch {
    return starts(text)
  }
}
