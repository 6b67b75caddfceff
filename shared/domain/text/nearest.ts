/**
 * The candidate with the smallest edit distance to `word`, ignoring case.
 * @param maxDistance candidates that are further away are left out
 */
export function nearest(word: string, candidates: readonly string[], maxDistance = Infinity): string | undefined {
  const lowerCase = word.toLowerCase()
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    // The distance is at least the difference of the lengths.
    if (Math.abs(word.length - candidate.length) > maxDistance) continue
    const distance = editDistance(lowerCase, candidate.toLowerCase())
    if (distance <= maxDistance && (best === undefined || distance < best.distance)) best = { candidate, distance }
  }
  return best?.candidate
}

/** The candidate of which a word is probably a misspelling: at most one in three characters differs. */
export function misspelled(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > maxWordLength) return undefined
  return nearest(word, candidates, Math.floor(word.length / 3))
}

/** The end of a message about an unknown name: the suggested name, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const near = misspelled(word, candidates)
  return near === undefined ? '' : `; did you mean "${near}"?`
}

/** Maximum suggestions in one answer, because comparing names costs time. */
export const maxHints = 5

/** Maximum length of a compared word: the work grows with its length, and clients choose it. */
const maxWordLength = 50

/** Characters to insert, delete or replace, and neighbours to swap (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(before, j - 2) + 1 : Infinity
      next.push(Math.min(replaced, swapped, at(row, j) + 1, at(next, j - 1) + 1))
    }
    before = row
    row = next
  }
  return at(row, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
