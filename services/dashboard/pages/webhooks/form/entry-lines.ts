/** What a line of text says, and what it is called where it comes twice. */
type Entry = { name: string; key: string }

/**
 * Entries from text, one a line; empty lines are none.
 * @param form how a line has to be
 * @param read what a line says; null: it has not this form
 * @returns the entries, or what is wrong with the first line that is none, or that names one again
 */
export function readEntries<E extends Entry>(
  text: string,
  form: string,
  read: (line: string) => E | null,
): { entries: E[] } | { problem: string } {
  const entries = new Map<string, E>()
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const entry = read(line)
    if (!entry) return { problem: `Line ${n + 1} is not "${form}".` }
    if (entries.has(entry.key)) return { problem: `Line ${n + 1} names ${entry.name} again.` }
    entries.set(entry.key, entry)
  }
  return { entries: [...entries.values()] }
}
