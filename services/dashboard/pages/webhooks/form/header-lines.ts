import { readEntries } from './entry-lines.ts'

/** Headers from text, one a line, as `name: value`; or what is wrong with the first line that is none. */
export function readHeaderLines(text: string): { headers: Record<string, string> } | { problem: string } {
  const read = readEntries(text, 'name: value', (line) => {
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    return name === undefined || value === undefined ? null : { name, key: name.toLowerCase(), value }
  })
  if ('problem' in read) return read
  return { headers: Object.fromEntries(read.entries.map(({ name, value }) => [name, value])) }
}
