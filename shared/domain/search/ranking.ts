import { mostOfBand, wordScore } from './score.ts'

/** An item with a word: the frequency of the word in it, and its total number of words. */
export type Posting = { itemId: string; frequency: number; length: number }

/**
 * The items read so far with a word in one band, shortest first; `isWhole`: there are no more.
 * @property term the position in the scale of the term that the word belongs to
 */
export type PostingList = {
  term: number
  word: string
  band: number
  postings: readonly Posting[]
  isWhole: boolean
}

/** A word of a query, or the beginning of one; for a beginning, the word that an item has most often counts. */
export type Term = { text: string; isBeginning: boolean; weight: number }

/**
 * How items are scored: by these terms, and by their length compared with the mean of all items. `needsAll`: an item without one is not
 * found.
 */
export type Scale = { terms: readonly Term[]; meanLength: number; needsAll: boolean }

/**
 * An item, and its known frequency of each term; 0: unknown or none. For the beginning of a word, it is the frequency of the item's most
 * frequent such word.
 */
export type Candidate = { itemId: string; length: number; frequencies: readonly number[] }

/** Candidates by item, completed as lists are read; null: can no longer be among the best. */
export type Candidates = Map<string, (Candidate & { frequencies: number[] }) | null>

/** Adds the postings of a term's word to the candidates. @param scale the scale with the terms */
export function addPostings(
  candidates: Candidates,
  { terms }: Pick<Scale, 'terms'>,
  { term, postings }: Pick<PostingList, 'term' | 'postings'>,
): void {
  for (const { itemId, length, frequency } of postings) {
    const known = candidates.get(itemId)
    if (known === null) continue
    const { frequencies } = known ?? { frequencies: terms.map(() => 0) }
    if (!known) candidates.set(itemId, { itemId, length, frequencies })
    if (frequency > (frequencies[term] ?? 0)) frequencies[term] = frequency
  }
}

/**
 * The score of an item whose words are all known; 0: no match. Terms are added in the order of the query, so that every database computes
 * the same score.
 */
export function scoreOf({ terms, meanLength, needsAll }: Scale, item: Omit<Candidate, 'itemId'>): number {
  const { length, frequencies } = item
  return sumOf(
    terms.map(({ weight }, n) => weight * wordScore(frequencies[n] ?? 0, length, meanLength)),
    needsAll,
  )
}

function sumOf(scores: readonly number[], needsAll: boolean): number {
  return needsAll && scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/**
 * The lists to read further, because an unread item of them may score more than `score`; none: no item that has not been read in any list
 * can score more. The score of an item is the sum over its terms. So each term has a share of `score`, and a list whose unread items stay
 * below that share is not read further. An item that needs all terms is in the lists of each term.
 * @param driving the only term whose lists are read; null: all are
 */
export function listsToReadOn<List extends PostingList>(
  { terms, meanLength, needsAll }: Scale,
  lists: readonly List[],
  { score, driving }: { score: number; driving: number | null },
): List[] {
  const behind = lists.map((list) => ({
    list,
    most: (terms[list.term]?.weight ?? 0) * mostBehind(list, { length: 0, meanLength }),
  }))
  const mostOfTerm = terms.map(() => 0)
  for (const { list, most } of behind) mostOfTerm[list.term] = Math.max(most, mostOfTerm[list.term] ?? 0)
  const all = mostOfTerm.reduce((sum, most) => sum + most, 0)
  if (all <= score) return []
  const shareOf = (term: number) => (needsAll ? 0 : ((mostOfTerm[term] ?? 0) / all) * score)
  return behind.flatMap(({ list, most }) =>
    (driving === null || list.term === driving) && most > shareOf(list.term) ? [list] : [],
  )
}

/** The maximum score of a candidate: unread words count with their maximum. `isScore`: no word is unread, so this is the score itself. */
export function mostOf(
  scale: Scale,
  lists: readonly PostingList[],
): (candidate: Candidate) => Scored & { isScore: boolean } {
  const { terms, meanLength, needsAll } = scale
  // Of the lists that may contain an item of some length, the highest band gives it the highest score.
  const unread = lists.filter(({ isWhole }) => !isWhole).sort((one, other) => other.band - one.band)
  const byTerm = Map.groupBy(unread, ({ term }) => term)
  return ({ itemId, length, frequencies }) => {
    let isScore = true
    const scores = terms.map(({ weight, isBeginning }, n) => {
      const frequency = frequencies[n] ?? 0
      const known = weight * wordScore(frequency, length, meanLength)
      // An item may have several words with the same beginning.
      if (frequency > 0 && !isBeginning) return known
      const list = byTerm.get(n)?.find((one) => lastLength(one) <= length)
      const most = list ? weight * mostBehind(list, { length, meanLength }) : 0
      if (most <= known) return known
      isScore = false
      return most
    })
    return { itemId, score: sumOf(scores, needsAll), isScore }
  }
}

/** The highest score of a list's word in an unread item of at least this length. */
function mostBehind(list: PostingList, { length, meanLength }: { length: number; meanLength: number }): number {
  if (list.isWhole) return 0
  return wordScore(mostOfBand(list.band), Math.max(length, lastLength(list)), meanLength)
}

function lastLength({ postings }: PostingList): number {
  return postings.at(-1)?.length ?? 0
}

/** Compares by score, best first; of equal scores, the newest item is first, which has the greatest id. */
export function byScore(one: Scored, other: Scored): number {
  if (one.score !== other.score) return other.score - one.score
  return one.itemId < other.itemId ? 1 : -1
}

export type Scored = { itemId: string; score: number }
