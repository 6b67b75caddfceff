import { mostOfBand, wordScore } from './score.ts'

/** An item that has a word: how often, and how many words it has in all. */
export type Posting = { itemId: string; frequency: number; length: number }

/**
 * What is read of the items of one band that have a word, from the shortest on; `isWhole`: there are no more.
 * @property term which of the terms of the scale the word is of
 */
export type PostingList = {
  term: number
  word: string
  band: number
  postings: readonly Posting[]
  isWhole: boolean
}

/** A word of a query, or the beginning of one, of which counts what an item has most of. */
export type Term = { text: string; isBeginning: boolean; weight: number }

/** How items are scored: by these terms, and by their length against the mean of all. `needsAll`: an item without one is not found. */
export type Scale = { terms: readonly Term[]; meanLength: number; needsAll: boolean }

/** An item and what is known of its words. */
export type Candidate = { itemId: string; length: number; frequencies: ReadonlyMap<string, number> }

/** The items of lists, each once. */
export function candidatesOf(lists: readonly PostingList[]): Candidate[] {
  const found = new Map<string, { itemId: string; length: number; frequencies: Map<string, number> }>()
  for (const { word, postings } of lists) {
    for (const { itemId, length, frequency } of postings) {
      const candidate = found.get(itemId) ?? { itemId, length, frequencies: new Map<string, number>() }
      candidate.frequencies.set(word, frequency)
      found.set(itemId, candidate)
    }
  }
  return [...found.values()]
}

/**
 * The score of an item of which all words are known; 0: it is not found. Terms are added in the order of the query, so that each
 * database gives the same.
 */
export function scoreOf({ terms, meanLength, needsAll }: Scale, item: Omit<Candidate, 'itemId'>): number {
  return sumOf(
    terms.map((term) => scoreOfTerm(term, item, meanLength)),
    needsAll,
  )
}

function scoreOfTerm(
  { text, isBeginning, weight }: Term,
  { length, frequencies }: Omit<Candidate, 'itemId'>,
  meanLength: number,
): number {
  if (!isBeginning) return weight * wordScore(frequencies.get(text) ?? 0, length, meanLength)
  let most = 0
  for (const [word, frequency] of frequencies) if (frequency > most && word.startsWith(text)) most = frequency
  return weight * wordScore(most, length, meanLength)
}

function sumOf(scores: readonly number[], needsAll: boolean): number {
  return needsAll && scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/**
 * The lists to read on, because an item behind what is read of them may score more than this; none: no item does that is in none of the
 * lists as far as they are read. What an item can have is the sum of its terms, so each term has a share of the score, and the lists
 * below their share stay as they are. Where an item needs all terms, it is found in the lists of any one.
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

/**
 * The greatest score that a candidate can have: of what is not read of its words the most is taken. `isScore`: there is no such word, and
 * it is the score itself.
 */
export function mostOf(
  scale: Scale,
  lists: readonly PostingList[],
): (candidate: Candidate) => Scored & { isScore: boolean } {
  const { terms, meanLength, needsAll } = scale
  const byTerm = Map.groupBy(
    lists.filter(({ isWhole }) => !isWhole),
    ({ term }) => term,
  )
  return (candidate) => {
    const { length, frequencies } = candidate
    let isScore = true
    const scores = terms.map((term, n) => {
      let most = scoreOfTerm(term, candidate, meanLength)
      for (const list of byTerm.get(n) ?? []) {
        if (frequencies.has(list.word) || lastLength(list) > length) continue
        const unread = term.weight * mostBehind(list, { length, meanLength })
        if (unread > most) {
          most = unread
          isScore = false
        }
      }
      return most
    })
    return { itemId: candidate.itemId, score: sumOf(scores, needsAll), isScore }
  }
}

/** The score of a word in the best item of at least this length behind what is read of a list. */
function mostBehind(list: PostingList, { length, meanLength }: { length: number; meanLength: number }): number {
  if (list.isWhole) return 0
  return wordScore(mostOfBand(list.band), Math.max(length, lastLength(list)), meanLength)
}

function lastLength({ postings }: PostingList): number {
  return postings.at(-1)?.length ?? 0
}

/** Compares by score, the best first; of equal ones the newest is first, which has the greatest id. */
export function byScore(one: Scored, other: Scored): number {
  if (one.score !== other.score) return other.score - one.score
  return one.itemId < other.itemId ? 1 : -1
}

export type Scored = { itemId: string; score: number }
