import * as limits from '#shared/domain/limits.ts'
import type { SearchTerms } from '#shared/domain/search/query.ts'
import type { Scale, Term } from '#shared/domain/search/ranking.ts'
import { wordWeight } from '#shared/domain/search/score.ts'
import { toText } from '../columns.ts'
import type { Queries } from '../database.ts'
import { chooseAccessPath, matches } from '../item-pages/access-path.ts'
import type { ItemSet } from '../item-pages/item-set.ts'
import { limitUnion } from '../sql/statements.ts'
import { readBeginning } from './beginnings.ts'
import { type Best, bestAmong, findBest, type WantedList } from './best-items.ts'
import { countTerms, readTextCounts, type Terms } from './term-counts.ts'

export type SearchRequest = {
  asked: SearchTerms
  /** The items that may be found. */
  set: ItemSet
  /**
   * Whether words are weighted by the contents of the list. For a caller that does not see every item, all words have the same
   * weight, and length is compared with 50 words: otherwise relevance would reveal items that the caller does not see.
   */
  seesAll: boolean
  /** How many entries of words, or items instead, may be examined; 20,000 if absent. */
  maxExamined?: number
}

/** If items need all words and at most this many items have one of them, only that word's list is read; the others are looked up. */
const fewEnough = 500

/** The mean length for callers that do not see every item. */
const usualLength = 50

/**
 * The best ten items by BM25, best first, of those with the words; of items with equal scores, the newest is first. Every database
 * returns the same items in the same order. While the words of the list are being built, the progress of the build.
 * @throws Conflict when the list is gone, or when items are found and its settings have changed
 */
export async function searchItems(
  db: Queries,
  terms: Terms,
  { asked, set, seesAll, maxExamined = limits.maxExamined }: SearchRequest,
): Promise<Best | { building: { done: number; total: number } }> {
  const [counted, text] = await Promise.all([countAsked(db, terms, asked), readTextCounts(db, terms)])
  if ('building' in text) return text
  const scale: Scale = {
    terms: counted.map(
      ({ term, holding }): Term => ({ ...term, weight: seesAll ? wordWeight({ items: text.items, holding }) : 1 }),
    ),
    meanLength: seesAll ? text.meanLength : usualLength,
    needsAll: asked.match === 'all',
  }
  const fewest = Math.min(...counted.map(({ holding }) => holding))
  if (scale.needsAll && fewest === 0) return { best: [], isTruncated: false }
  const wanted = {
    scale,
    set,
    lists: counted.flatMap(({ words }, term) =>
      words.flatMap(({ word, bands }) => bands.map((band): WantedList => ({ term, word, band }))),
    ),
    driving: scale.needsAll && fewest <= fewEnough ? counted.findIndex(({ holding }) => holding === fewest) : null,
    maxExamined,
  }
  const found = await findBest(db, terms, wanted)
  const isTruncated = found.isTruncated || counted.some((one) => one.isTruncated)
  const ids = isTruncated && !seesAll ? await readFewIds(db, set, maxExamined) : null
  return ids ? { best: await bestAmong(db, terms, { scale, set, ids }), isTruncated: false } : { ...found, isTruncated }
}

/** A term of a query: how many items have it, and its words with their bands. */
type Counted = {
  term: Omit<Term, 'weight'>
  holding: number
  words: { word: string; bands: number[] }[]
  isTruncated: boolean
}

async function countAsked(db: Queries, terms: Terms, { words, beginning }: SearchTerms): Promise<Counted[]> {
  const counts = await countTerms(db, terms, words)
  const counted = words.map((word, n): Counted => {
    const { holding, bands } = counts[n] ?? { holding: 0, bands: [] }
    return { term: { text: word, isBeginning: false }, holding, words: [{ word, bands }], isTruncated: false }
  })
  if (beginning === null) return counted
  const found = await readBeginning(db, terms, beginning)
  return [...counted, { term: { text: beginning, isBeginning: true }, ...found }]
}

/** The ids of all items of a set with at most `most` items; null: it may have more. */
async function readFewIds(db: Queries, set: ItemSet, most: number): Promise<string[] | null> {
  const path = await chooseAccessPath(db, set)
  if ((await path.countFound(most)) > most) return null
  const rows = await db.all(limitUnion(matches(path), most))
  return rows.map(({ id }) => toText(id))
}
