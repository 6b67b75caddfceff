/** The entry of a line. Lines with the same `key` are duplicates; `name` is for messages. */
type Entry = { name: string; key: string }

/**
 * Reads entries from a text, one per line. Empty lines are skipped.
 * @param form the required form of a line, for messages
 * @param read reads the entry of a line; null: the line does not have this form
 * @returns the entries, or the problem of the first line that is invalid or a duplicate
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
