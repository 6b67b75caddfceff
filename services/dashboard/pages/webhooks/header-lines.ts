/**
 * Headers from text, one a line, as `name: value`.
 * @returns the headers, or what is wrong with the first line that is none
 */
export function readHeaderLines(text: string): { headers: Record<string, string> } | { problem: string } {
  const headers: [string, string][] = []
  for (const [n, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    if (name === undefined || value === undefined) return { problem: `Line ${n + 1} is not "name: value".` }
    if (headers.some(([other]) => other.toLowerCase() === name.toLowerCase())) {
      return { problem: `Line ${n + 1} names ${name} again.` }
    }
    headers.push([name, value])
  }
  return { headers: Object.fromEntries(headers) }
}
