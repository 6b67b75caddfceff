/** The decoded segments of a path; null if one cannot be decoded. */
export function stepsOf(path: string): string[] | null {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

/** The named segments of a path, decoded. */
export type PathParts = Readonly<Record<string, string>>

/**
 * Compares a path with a pattern such as `/lists/:list`.
 * @returns the named parts, or null if the path does not match
 */
export function matchPath(pattern: string, path: string): PathParts | null {
  const names = pattern.split('/')
  const steps = stepsOf(path)
  if (names.length !== steps?.length) return null
  const parts: Record<string, string> = {}
  for (const [n, name] of names.entries()) {
    const step = steps[n] ?? ''
    if (name.startsWith(':') && step) parts[name.slice(1)] = step
    else if (name !== step) return null
  }
  return parts
}

/** An address with some query parameters set, and those with null removed. */
export function withQuery(
  { path, query }: { path: string; query: URLSearchParams },
  changes: Readonly<Record<string, string | null>>,
): string {
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) changed.delete(name)
    else changed.set(name, value)
  }
  const text = changed.toString()
  return text ? `${path}?${text}` : path
}
