/** A request that the user has pasted. */
export type Received = { headers: Record<string, string>; body: string }

/**
 * Reads headers in the formats that servers print: lines `name: value`, lines with `>` before them like `curl -v`, or a JSON object.
 * @returns null if there is no header
 */
export function readHeaders(text: string): Record<string, string> | null {
  const headers = fromJson(text) ?? fromLines(text)
  return Object.keys(headers).length > 0 ? headers : null
}

function fromJson(text: string): Record<string, string> | null {
  if (!text.trim().startsWith('{')) return null
  try {
    const found: [string, unknown][] = Object.entries(JSON.parse(text))
    return Object.fromEntries(found.map(([name, value]) => [name.toLowerCase(), String(value)]))
  } catch {
    return null
  }
}

function fromLines(text: string): Record<string, string> {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, value] = /^\s*[<>]?\s*"?([\w-]+)"?\s*:\s*"?(.*?)"?,?\s*$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const]
  })
  return Object.fromEntries(lines)
}
