import type { Scored } from '#shared/domain/search/ranking.ts'
import { wordWeight } from '#shared/domain/search/score.ts'
import type { Queries } from '../database.ts'
import type { ItemSet } from '../item-pages/item-set.ts'
import { findBest } from './best-items.ts'
import { countTerms, readTextCounts, type Terms } from './term-counts.ts'

export type SearchRequest = {
  words: readonly string[]
  /** The items that may be found. */
  set: ItemSet
  /**
   * Whether the words are weighed by what the list holds. For who does not see all of it each weighs the same, and length is measured
   * against 50 words: otherwise relevance would tell of what it does not see.
   */
  seesAll: boolean
}

/** The mean length for those who do not see every item. */
const usualLength = 50

/**
 * The best ten items by BM25, best first, of those with any of the words; of equal ones the newest comes first. Any database gives the
 * same ones in the same order. While the words of the list are built, how far that is.
 * @throws Conflict when the list is gone; when items are found, and it has other settings by now
 */
export async function searchItems(
  db: Queries,
  terms: Terms,
  { words, set, seesAll }: SearchRequest,
): Promise<{ best: Scored[] } | { building: { done: number; total: number } }> {
  const [counts, text] = await Promise.all([countTerms(db, terms, words), readTextCounts(db, terms)])
  if ('building' in text) return text
  const scale = {
    words: words.map((word, n) => {
      const holding = counts[n]?.holding ?? 0
      return { word, weight: seesAll ? wordWeight({ items: text.items, holding }) : 1 }
    }),
    meanLength: seesAll ? text.meanLength : usualLength,
  }
  const lists = words.flatMap((word, n) => (counts[n]?.bands ?? []).map((band) => ({ word, band })))
  return { best: await findBest(db, terms, { scale, lists, set }) }
}
