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
import { readPostings, readWords } from './postings.ts'
import type { Terms } from './term-counts.ts'

/** How many items a search gives (contract 2.1). */
const maxFound = 10
/** How many rows are first read of each list, and how many times as many in each next step. */
const [firstRows, growth] = [16, 8]
/** How many candidates are scored at a time, those first that can have most. */
const scoredAtOnce = 50

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
  const scores = new Map<string, number | null>()
  const size = Math.max(1, Math.min(firstRows, Math.floor(most / Math.max(lists.length, 1))))
  let next: Sized[] = lists.map((list) => ({ ...list, size }))
  let read: ReadList[] = []
  while (next.length > 0) {
    read = [...read.filter((list) => !next.some((other) => isSame(list, other))), ...(await readLists(db, terms, next))]
    await scoreBest(db, terms, { ...wanted, read, scores })
    const examined = read.reduce((sum, { postings }) => sum + postings.length, 0)
    next = larger(listsToReadOn(scale, read, tenthOf(scores).score), most - examined)
  }
  return bestOf(scores)
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

type Reading = Wanted & {
  read: readonly PostingList[]
  /** By item; null: it is not in the set. */
  scores: Map<string, number | null>
}

/** Scores those candidates that can be among the best, as long as there are any. */
async function scoreBest(db: Queries, terms: Terms, { scale, set, read, scores }: Reading): Promise<void> {
  const most = mostOf(scale, read)
  const candidates = candidatesOf(read).filter(({ itemId }) => !scores.has(itemId))
  const lengths = new Map(candidates.map(({ itemId, length }) => [itemId, length]))
  const waiting = candidates.map((candidate) => ({ itemId: candidate.itemId, score: most(candidate) })).sort(byScore)
  const words = scale.words.map(({ word }) => word)
  for (let start = 0; start < waiting.length; start += scoredAtOnce) {
    const some = waiting.slice(start, start + scoredAtOnce)
    if (some[0] && byScore(some[0], tenthOf(scores)) > 0) return
    const found = await readWords(db, terms, { ids: some.map(({ itemId }) => itemId), words, set })
    for (const { itemId } of some) {
      const frequencies = found.get(itemId)
      scores.set(itemId, frequencies ? scoreOf(scale, { length: lengths.get(itemId) ?? 0, frequencies }) : null)
    }
  }
}

function bestOf(scores: ReadonlyMap<string, number | null>): Scored[] {
  const known = [...scores].flatMap(([itemId, score]) => (score === null ? [] : [{ itemId, score }]))
  return known.sort(byScore).slice(0, maxFound)
}

function tenthOf(scores: ReadonlyMap<string, number | null>): Scored {
  return bestOf(scores)[maxFound - 1] ?? { itemId: '', score: 0 }
}
