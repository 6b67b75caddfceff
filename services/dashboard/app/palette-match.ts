/** The entries whose label or `more` contains all words of a text. Entries that begin with the text come first. */
export function matching<E extends { label: string; more: string }>(entries: readonly E[], text: string): E[] {
  const wanted = text.toLowerCase()
  const words = wanted.split(/\s+/)
  const textOf = ({ label, more }: E) => `${label} ${more}`.toLowerCase()
  const found = entries.filter((entry) => words.every((word) => textOf(entry).includes(word)))
  const begins = (entry: E) => Number(textOf(entry).startsWith(wanted))
  return found.toSorted((a, b) => begins(b) - begins(a))
}
