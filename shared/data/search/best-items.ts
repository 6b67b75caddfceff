import { setImmediate as nextTick } from 'node:timers/promises'
import { maxExamined } from '#shared/domain/limits.ts'
import {
  addPostings,
  byScore,
  type Candidate,
  type Candidates,
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

/** The number of items that a search returns (contract 2.1). */
const maxFound = 10
/** How many rows of each list are read first, and the factor by which this number grows with each step. */
const [firstRows, growth] = [16, 8]
/**
 * How many candidates are looked up at a time, those with the highest possible scores first. The number does not grow with each step,
 * because the rows read next exclude most other candidates.
 */
const scoredAtOnce = 250
/** How many scored items are checked against the set at a time. */
const checkedAtOnce = 20

export type WantedList = Pick<PostingList, 'term' | 'word' | 'band'>

export type Wanted = {
  scale: Scale
  /** The bands of each word; each band is a part of the word's list of items. */
  lists: readonly WantedList[]
  /** The only term of the scale whose lists are read; null: all are. */
  driving: number | null
  set: ItemSet
  maxExamined?: number
}

/** `isTruncated`: items that were not read could be among the best. */
export type Best = { best: Scored[]; isTruncated: boolean }

/**
 * The ten items of a set with the greatest scores, best first. Lists are read from their best items on, until no further item can
 * score more than the tenth. At most 20,000 rows of the lists are examined: later rows are not found.
 * @throws Conflict when the list has other settings by now
 */
export async function findBest(db: Queries, terms: Terms, wanted: Wanted): Promise<Best> {
  const { scale, driving, maxExamined: most = maxExamined } = wanted
  const found = noneFound()
  const lists = wanted.lists.filter(({ term }) => driving === null || term === driving)
  const size = Math.max(1, Math.min(firstRows, Math.floor(most / Math.max(lists.length, 1))))
  let next: Sized[] = lists.map((list) => ({ ...list, size }))
  // Lists that are not read also count: they limit what their items can score.
  let read: ReadList[] = wanted.lists.map((list) => ({ ...list, size: 0, postings: [], isWhole: false }))
  const candidates: Candidates = new Map()
  for (;;) {
    read = await readOn(db, terms, { scale, read, next, candidates })
    const reading = { ...wanted, read, candidates, found }
    const waiting = await scoreBest(db, terms, reading)
    const left = listsToReadOn(scale, read, { score: tenthOf(found).score, driving })
    const examined = read.reduce((sum, { postings }) => sum + postings.length, 0)
    next = larger(left, most - examined)
    if (next.length > 0) continue
    await lookUpAll(db, terms, { reading, waiting })
    return { best: bestOf(found), isTruncated: left.length > 0 }
  }
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
    const some = ids.slice(start, start + scoredAtOnce)
    const items = await readWords(db, terms, { ids: some, terms: scale.terms, lengths: null })
    const scored = items.map((item) => ({ itemId: item.itemId, score: scoreOf(scale, item) }))
    const better = scored.filter((one) => byScore(one, tenth) < 0)
    // Items that were not better are dropped, so that thousands of items are not sorted again and again.
    found.scores = new Map([...bestOf(found), ...better].map(({ itemId, score }) => [itemId, score]))
    await checkBest(db, terms, { set, found })
  }
  return bestOf(found)
}

/** A list, and how many of its rows are read. */
type Sized = WantedList & { size: number }
type ReadList = PostingList & Sized

type ReadOn = { scale: Scale; read: readonly ReadList[]; next: readonly Sized[]; candidates: Candidates }

/**
 * Reads lists as far as the next step says, and adds their new rows to the candidates. Rows that are read again are few compared with
 * new ones.
 */
async function readOn(db: Queries, terms: Terms, { scale, read, next, candidates }: ReadOn): Promise<ReadList[]> {
  const found = await readPostings(db, terms, next)
  // Thousands of rows were just unpacked, and as many items are scored next: other requests run in between.
  await nextTick()
  const before = new Map(read.map((list) => [keyOf(list), list]))
  for (const [n, list] of next.entries()) {
    const postings = found[n] ?? []
    const fresh = postings.slice(before.get(keyOf(list))?.postings.length ?? 0)
    addPostings(candidates, scale, { term: list.term, postings: fresh })
    before.set(keyOf(list), { ...list, postings, isWhole: postings.length < list.size })
  }
  return [...before.values()]
}

const keyOf = ({ term, band, word }: WantedList) => `${term} ${band} ${word}`

/** The lists with the sizes of the next step, which reads no more new rows than are left. */
function larger(lists: readonly ReadList[], left: number): Sized[] {
  const wanted = lists.reduce((sum, { size }) => sum + size * (growth - 1), 0)
  if (wanted <= left)
    return lists.map(({ postings: _, isWhole: __, ...list }) => ({ ...list, size: list.size * growth }))
  const each = Math.floor(left / Math.max(lists.length, 1))
  if (each < 1) return []
  return lists.map(({ postings: _, isWhole: __, ...list }) => ({ ...list, size: list.size + each }))
}

type Reading = Wanted & { read: readonly ReadList[]; candidates: Candidates; found: Found }

/** The scores of items whose words are all known, and whether items are in the set. */
type Found = { scores: Map<string, number>; checked: Map<string, boolean> }

const noneFound = (): Found => ({ scores: new Map(), checked: new Map() })

/**
 * Scores the candidates whose words are all known, and looks up some of the others, those with the highest possible scores first.
 * @returns the candidates that still have to be looked up, because they may be among the best
 */
async function scoreBest(db: Queries, terms: Terms, reading: Reading): Promise<Candidate[]> {
  const { scale, read, candidates, found } = reading
  const most = mostOf(scale, read)
  const tenth = tenthOf(found)
  const unknown: Scored[] = []
  for (const [itemId, candidate] of candidates) {
    if (candidate === null || found.scores.has(itemId)) continue
    const one = most(candidate)
    // Whatever is read later can only lower its highest possible score.
    if (byScore(one, tenth) > 0) candidates.set(itemId, null)
    else if (one.isScore) found.scores.set(itemId, one.score)
    else unknown.push(one)
  }
  unknown.sort(byScore)
  await lookUp(db, terms, { reading, some: unknown.slice(0, scoredAtOnce) })
  const reached = tenthOf(found)
  const waiting = unknown.slice(scoredAtOnce).filter((one) => byScore(one, reached) < 0)
  return waiting.flatMap(({ itemId }) => candidates.get(itemId) ?? [])
}

/** Looks up all words of items that may be among the best, and then which of the best are in the set. */
async function lookUp(
  db: Queries,
  terms: Terms,
  { reading, some }: { reading: Reading; some: readonly Scored[] },
): Promise<void> {
  const { scale, candidates, found } = reading
  const tenth = tenthOf(found)
  const ids = some.filter((most) => byScore(most, tenth) < 0).map(({ itemId }) => itemId)
  const items = ids.length > 0 ? await readWords(db, terms, { ids, terms: scale.terms, lengths: candidates }) : []
  for (const item of items) found.scores.set(item.itemId, scoreOf(scale, item))
  await checkBest(db, terms, reading)
}

async function lookUpAll(
  db: Queries,
  terms: Terms,
  { reading, waiting }: { reading: Reading; waiting: readonly Candidate[] },
): Promise<void> {
  const all = waiting.map(mostOf(reading.scale, reading.read)).sort(byScore)
  for (let start = 0; start < all.length; start += scoredAtOnce)
    await lookUp(db, terms, { reading, some: all.slice(start, start + scoredAtOnce) })
}

/** Checks which of the items with the best scores are in the set, until ten are, or no item is left. */
async function checkBest(db: Queries, terms: Terms, { set, found }: Pick<Reading, 'set' | 'found'>): Promise<void> {
  const { scores, checked } = found
  const least = tenthOf(found)
  const waiting: Scored[] = []
  for (const [itemId, score] of scores) {
    const one = { itemId, score }
    if (score > 0 && !checked.has(itemId) && byScore(one, least) < 0) waiting.push(one)
  }
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
