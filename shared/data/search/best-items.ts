import { maxExamined } from '#shared/domain/limits.ts'
import {
  byScore,
  candidatesOf,
  listsToReadOn,
  mostOf,
  type PostingList,
  type Scale,
  type Scored,
  scoreOf,
} from '#shared/domain/search/ranking.ts'
import type { Queries } from '../database.ts'
import type { ItemSet } from '../item-pages/item-set.ts'
import { readFrequencies, readItemsOfSet, readPostings } from './postings.ts'
import type { Terms } from './term-counts.ts'

/** How many items a search gives (contract 2.1). */
const maxFound = 10
/** How many rows are first read of each list, and how many times as many in each next step. */
const [firstRows, growth] = [16, 8]
/** How many candidates are scored at a time, those first that can have most. */
const scoredAtOnce = 250
/** How many scored items are looked for in the set at a time. */
const checkedAtOnce = 20

export type Wanted = {
  scale: Scale
  /** The bands of each word, the word's list of items in parts. */
  lists: readonly Pick<PostingList, 'word' | 'band'>[]
  set: ItemSet
  maxExamined?: number
}

/**
 * The ten items of a set with the greatest scores, best first. Lists are read from their best items on, and only until what is behind
 * cannot score more than the tenth. At most 20,000 rows of them are examined: behind these nothing is found.
 * @throws Conflict when the list has other settings by now
 */
export async function findBest(db: Queries, terms: Terms, wanted: Wanted): Promise<Scored[]> {
  const { scale, lists, maxExamined: most = maxExamined } = wanted
  const found: Found = { scores: new Map(), checked: new Map() }
  const size = Math.max(1, Math.min(firstRows, Math.floor(most / Math.max(lists.length, 1))))
  let next: Sized[] = lists.map((list) => ({ ...list, size }))
  let read: ReadList[] = []
  while (next.length > 0) {
    read = [...read.filter((list) => !next.some((other) => isSame(list, other))), ...(await readLists(db, terms, next))]
    await scoreBest(db, terms, { ...wanted, read, found })
    const examined = read.reduce((sum, { postings }) => sum + postings.length, 0)
    next = larger(listsToReadOn(scale, read, tenthOf(found).score), most - examined)
  }
  return bestOf(found)
}

/** A list of which so many rows are read. */
type Sized = Pick<PostingList, 'word' | 'band'> & { size: number }
type ReadList = PostingList & Sized

/** A list is read anew with each step: what is read again is little beside what is new. */
async function readLists(db: Queries, terms: Terms, lists: readonly Sized[]): Promise<ReadList[]> {
  const found = await readPostings(db, terms, lists)
  return lists.map((list, n) => {
    const postings = found[n] ?? []
    return { ...list, postings, isWhole: postings.length < list.size }
  })
}

/** The lists with the sizes of the next step, which reads no more new rows than are left. */
function larger(lists: readonly ReadList[], left: number): Sized[] {
  const wanted = lists.reduce((sum, { size }) => sum + size * (growth - 1), 0)
  if (wanted <= left) return lists.map(({ word, band, size }) => ({ word, band, size: size * growth }))
  const each = Math.floor(left / Math.max(lists.length, 1))
  return each < 1 ? [] : lists.map(({ word, band, size }) => ({ word, band, size: size + each }))
}

function isSame(one: Sized, other: Sized): boolean {
  return one.word === other.word && one.band === other.band
}

type Reading = Wanted & { read: readonly ReadList[]; found: Found }

/** What is known of items: their scores, where all words of theirs are known, and which of them are in the set. */
type Found = { scores: Map<string, number>; checked: Map<string, boolean> }

/** Finds those candidates that are among the best of all that were read. */
async function scoreBest(db: Queries, terms: Terms, reading: Reading): Promise<void> {
  const { scale, read, found } = reading
  const candidates = candidatesOf(read).filter(({ itemId }) => !found.scores.has(itemId))
  const waiting = candidates.map(mostOf(scale, read)).sort(byScore)
  for (const { itemId, score, isScore } of waiting) if (isScore) found.scores.set(itemId, score)
  await checkBest(db, terms, reading)
  const lengths = new Map(candidates.map(({ itemId, length }) => [itemId, length]))
  const words = scale.words.map(({ word }) => word)
  const unknown = waiting.filter(({ isScore }) => !isScore)
  for (let start = 0; start < unknown.length; start += scoredAtOnce) {
    const tenth = tenthOf(found)
    const some = unknown.slice(start, start + scoredAtOnce).filter((most) => byScore(most, tenth) < 0)
    if (some.length === 0) return
    const ids = some.map(({ itemId }) => itemId)
    for (const [itemId, frequencies] of await readFrequencies(db, terms, { ids, words })) {
      found.scores.set(itemId, scoreOf(scale, { length: lengths.get(itemId) ?? 0, frequencies }))
    }
    await checkBest(db, terms, reading)
  }
}

/** Looks which of the best scored items are in the set, until ten are, or none is left. */
async function checkBest(db: Queries, terms: Terms, { set, found }: Reading): Promise<void> {
  const { scores, checked } = found
  const waiting = Array.from(scores, ([itemId, score]) => ({ itemId, score })).filter(
    ({ itemId }) => !checked.has(itemId),
  )
  waiting.sort(byScore)
  for (let start = 0; start < waiting.length; start += checkedAtOnce) {
    const tenth = tenthOf(found)
    const some = waiting.slice(start, start + checkedAtOnce).filter((one) => byScore(one, tenth) < 0)
    if (some.length === 0) return
    const ids = some.map(({ itemId }) => itemId)
    const ofSet = await readItemsOfSet(db, terms, { ids, set })
    for (const id of ids) checked.set(id, ofSet.has(id))
  }
}

function bestOf({ scores, checked }: Found): Scored[] {
  const best = [...checked].flatMap(([itemId, isOfSet]) =>
    isOfSet ? [{ itemId, score: scores.get(itemId) ?? 0 }] : [],
  )
  return best.sort(byScore).slice(0, maxFound)
}

function tenthOf(found: Found): Scored {
  return bestOf(found)[maxFound - 1] ?? { itemId: '', score: 0 }
}
