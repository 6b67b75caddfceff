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
import { readItemsOfSet, readPostings, readWords } from './postings.ts'
import type { Terms } from './term-counts.ts'

/** How many items a search gives (contract 2.1). */
const maxFound = 10
/** How many rows are first read of each list, and how many times as many in each next step. */
const [firstRows, growth] = [16, 8]
/** How many candidates are scored at a time, those first that can have most. */
const scoredAtOnce = 250
/** How many scored items are looked for in the set at a time. */
const checkedAtOnce = 20

export type WantedList = Pick<PostingList, 'term' | 'word' | 'band'>

export type Wanted = {
  scale: Scale
  /** The bands of each word, the word's list of items in parts. */
  lists: readonly WantedList[]
  /** The only term of the scale whose lists are read; null: all are. */
  driving: number | null
  set: ItemSet
  maxExamined?: number
}

/** `isTruncated`: items that are not read could be among the best. */
export type Best = { best: Scored[]; isTruncated: boolean }

/**
 * The ten items of a set with the greatest scores, best first. Lists are read from their best items on, and only until what is behind
 * cannot score more than the tenth. At most 20,000 rows of them are examined: behind these nothing is found.
 * @throws Conflict when the list has other settings by now
 */
export async function findBest(db: Queries, terms: Terms, wanted: Wanted): Promise<Best> {
  const { scale, driving, maxExamined: most = maxExamined } = wanted
  const found = noneFound()
  const lists = wanted.lists.filter(({ term }) => driving === null || term === driving)
  const size = Math.max(1, Math.min(firstRows, Math.floor(most / Math.max(lists.length, 1))))
  let next: Sized[] = lists.map((list) => ({ ...list, size }))
  // Lists that are not read are known by what they can have.
  let read: ReadList[] = wanted.lists.map((list) => ({ ...list, size: 0, postings: [], isWhole: false }))
  let left: ReadList[] = []
  while (next.length > 0) {
    read = [...read.filter((list) => !next.some((other) => isSame(list, other))), ...(await readLists(db, terms, next))]
    await scoreBest(db, terms, { ...wanted, read, found })
    const examined = read.reduce((sum, { postings }) => sum + postings.length, 0)
    left = listsToReadOn(scale, read, { score: tenthOf(found).score, driving })
    next = larger(left, most - examined)
  }
  return { best: bestOf(found), isTruncated: left.length > 0 }
}

/** The ten of these items of a set with the greatest scores. @throws Conflict as `findBest` */
export async function bestAmong(
  db: Queries,
  terms: Terms,
  { scale, set, ids }: Pick<Wanted, 'scale' | 'set'> & { ids: readonly string[] },
): Promise<Scored[]> {
  const found = noneFound()
  for (let start = 0; start < ids.length; start += scoredAtOnce) {
    const tenth = tenthOf(found)
    const items = await readWords(db, terms, { ids: ids.slice(start, start + scoredAtOnce), terms: scale.terms })
    const scored = items.map((item) => ({ itemId: item.itemId, score: scoreOf(scale, item) }))
    const better = scored.filter((one) => byScore(one, tenth) < 0)
    // Those that were not better are never looked at again, so that thousands of items are not sorted time and again.
    found.scores = new Map([...bestOf(found), ...better].map(({ itemId, score }) => [itemId, score]))
    await checkBest(db, terms, { set, found })
  }
  return bestOf(found)
}

/** A list of which so many rows are read. */
type Sized = WantedList & { size: number }
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
  if (wanted <= left)
    return lists.map(({ postings: _, isWhole: __, ...list }) => ({ ...list, size: list.size * growth }))
  const each = Math.floor(left / Math.max(lists.length, 1))
  if (each < 1) return []
  return lists.map(({ postings: _, isWhole: __, ...list }) => ({ ...list, size: list.size + each }))
}

function isSame(one: WantedList, other: WantedList): boolean {
  return one.term === other.term && one.word === other.word && one.band === other.band
}

type Reading = Wanted & { read: readonly ReadList[]; found: Found }

/** What is known of items: their scores, where all words of theirs are known, and which of them are in the set. */
type Found = { scores: Map<string, number>; checked: Map<string, boolean> }

const noneFound = (): Found => ({ scores: new Map(), checked: new Map() })

/** Finds those candidates that are among the best of all that were read. */
async function scoreBest(db: Queries, terms: Terms, reading: Reading): Promise<void> {
  const { scale, read, found } = reading
  const candidates = candidatesOf(read).filter(({ itemId }) => !found.scores.has(itemId))
  const waiting = candidates.map(mostOf(scale, read)).sort(byScore)
  for (const { itemId, score, isScore } of waiting) if (isScore) found.scores.set(itemId, score)
  await checkBest(db, terms, reading)
  const unknown = waiting.filter(({ isScore }) => !isScore)
  for (let start = 0; start < unknown.length; start += scoredAtOnce) {
    const tenth = tenthOf(found)
    const some = unknown.slice(start, start + scoredAtOnce).filter((most) => byScore(most, tenth) < 0)
    if (some.length === 0) return
    const ids = some.map(({ itemId }) => itemId)
    for (const item of await readWords(db, terms, { ids, terms: scale.terms }))
      found.scores.set(item.itemId, scoreOf(scale, item))
    await checkBest(db, terms, reading)
  }
}

/** Looks which of the best scored items are in the set, until ten are, or none is left. */
async function checkBest(db: Queries, terms: Terms, { set, found }: Pick<Reading, 'set' | 'found'>): Promise<void> {
  const { scores, checked } = found
  const waiting = Array.from(scores, ([itemId, score]) => ({ itemId, score })).filter(
    ({ itemId, score }) => score > 0 && !checked.has(itemId),
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
  const best = [...checked].flatMap(([itemId, isOfSet]) => {
    const score = scores.get(itemId)
    return isOfSet && score !== undefined ? [{ itemId, score }] : []
  })
  return best.sort(byScore).slice(0, maxFound)
}

function tenthOf(found: Found): Scored {
  return bestOf(found)[maxFound - 1] ?? { itemId: '', score: 0 }
}
