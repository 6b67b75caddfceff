import { mostOfBand, wordScore } from './score.ts'

/** An item that has a word: how often, and how many words it has in all. */
export type Posting = { itemId: string; frequency: number; length: number }

/** What is read of the items of one band that have a word, from the shortest on; `isWhole`: there are no more. */
export type PostingList = { word: string; band: number; postings: readonly Posting[]; isWhole: boolean }

/** How items are scored: by these words, each with its weight, and by their length against the mean of all. */
export type Scale = { words: readonly { word: string; weight: number }[]; meanLength: number }

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

/** The score of an item of which all words are known. They are added in the order of the query, so that each database gives the same. */
export function scoreOf({ words, meanLength }: Scale, { length, frequencies }: Omit<Candidate, 'itemId'>): number {
  return words.reduce((sum, { word, weight }) => {
    return sum + weight * wordScore(frequencies.get(word) ?? 0, length, meanLength)
  }, 0)
}

/**
 * The lists to read on, because an item behind what is read of them may score more than this; none: no item does that is in none of the
 * lists as far as they are read. What an item can have is the sum of its words, so each word has a share of the score, and the lists
 * below their share stay as they are.
 */
export function listsToReadOn<List extends PostingList>(
  { words, meanLength }: Scale,
  lists: readonly List[],
  score: number,
): List[] {
  const weights = new Map(words.map(({ word, weight }) => [word, weight]))
  const behind = lists.map((list) => ({
    list,
    most: (weights.get(list.word) ?? 0) * mostBehind(list, { length: 0, meanLength }),
  }))
  const mostOfWord = new Map<string, number>()
  for (const { list, most } of behind) mostOfWord.set(list.word, Math.max(most, mostOfWord.get(list.word) ?? 0))
  const all = [...mostOfWord.values()].reduce((sum, most) => sum + most, 0)
  if (all <= score) return []
  return behind.flatMap(({ list, most }) => (most > ((mostOfWord.get(list.word) ?? 0) / all) * score ? [list] : []))
}

/**
 * The greatest score that a candidate can have: of what is not read of its words the most is taken. `isScore`: there is no such word, and
 * it is the score itself.
 */
export function mostOf(
  scale: Scale,
  lists: readonly PostingList[],
): (candidate: Candidate) => Scored & { isScore: boolean } {
  const byWord = Map.groupBy(lists, ({ word }) => word)
  const { words, meanLength } = scale
  return ({ itemId, length, frequencies }) => {
    let isScore = true
    const score = words.reduce((sum, { word, weight }) => {
      const frequency = frequencies.get(word)
      if (frequency !== undefined) return sum + weight * wordScore(frequency, length, meanLength)
      const unread = byWord.get(word)?.filter((list) => !list.isWhole && lastLength(list) <= length) ?? []
      if (unread.length > 0) isScore = false
      return sum + weight * Math.max(0, ...unread.map((list) => mostBehind(list, { length, meanLength })))
    }, 0)
    return { itemId, score, isScore }
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
