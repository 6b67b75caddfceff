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
/** How many rows are first read of each list, and how many times as many in each next step. */
const [firstRows, growth] = [16, 8]
/**
 * How many candidates are looked up at a time, those first that can have most; no more with each step, because what is read next tells
 * of most of the others that they are not among the best.
 */
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
    // Those that were not better are never looked at again, so that thousands of items are not sorted time and again.
    found.scores = new Map([...bestOf(found), ...better].map(({ itemId, score }) => [itemId, score]))
    await checkBest(db, terms, { set, found })
  }
  return bestOf(found)
}

/** A list of which so many rows are read. */
type Sized = WantedList & { size: number }
type ReadList = PostingList & Sized

type ReadOn = { scale: Scale; read: readonly ReadList[]; next: readonly Sized[]; candidates: Candidates }

/** Reads lists as far as the next step says, and adds what they say of items. Little is read again compared with what is new. */
async function readOn(db: Queries, terms: Terms, { scale, read, next, candidates }: ReadOn): Promise<ReadList[]> {
  const found = await readPostings(db, terms, next)
  // Thousands of rows have just been unpacked, and as many items are scored behind this: others have their turn between.
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

/** What is known of items: their scores, where all words of theirs are known, and which of them are in the set. */
type Found = { scores: Map<string, number>; checked: Map<string, boolean> }

const noneFound = (): Found => ({ scores: new Map(), checked: new Map() })

/**
 * Scores the candidates of which all words are known, and looks some of the others up, those first that can have most.
 * @returns those that may still be among the best, and have to be looked up
 */
async function scoreBest(db: Queries, terms: Terms, reading: Reading): Promise<Candidate[]> {
  const { scale, read, candidates, found } = reading
  const most = mostOf(scale, read)
  const tenth = tenthOf(found)
  const unknown: Scored[] = []
  for (const [itemId, candidate] of candidates) {
    if (candidate === null || found.scores.has(itemId)) continue
    const one = most(candidate)
    // What is known of it and what is read only take away from what it can have.
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

/** Looks up which of all words items have, if these may be among the best, and then which of the best are in the set. */
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

/** Looks which of the best scored items are in the set, until ten are, or none is left. */
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
