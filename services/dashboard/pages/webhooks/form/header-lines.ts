import { readEntries } from './entry-lines.ts'

/** Reads headers from a text with one `name: value` per line, or the problem of the first invalid line. */
export function readHeaderLines(text: string): { headers: Record<string, string> } | { problem: string } {
  const read = readEntries(text, 'name: value', (line) => {
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    return name === undefined || value === undefined ? null : { name, key: name.toLowerCase(), value }
  })
  if ('problem' in read) return read
  return { headers: Object.fromEntries(read.entries.map(({ name, value }) => [name, value])) }
}
