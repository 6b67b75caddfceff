/** The candidate with the smallest edit distance to `word`, ignoring case. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const lowerCase = word.toLowerCase()
  let best: { candidate: string; distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(lowerCase, candidate.toLowerCase())
    if (best === undefined || distance < best.distance) best = { candidate, distance }
  }
  return best?.candidate
}

/** Levenshtein: characters to insert, delete or replace. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (const [i, character] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (character === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
