/** How the words of a search match. */
export type WordOptions = {
  /** Whether the last word matches as the beginning of a word. */
  prefix?: boolean
  /** Whether one of the words is enough (default), or all are required. */
  match?: 'any' | 'all'
}

/** The results of a search, the best first. */
export type FoundItems<Result> = Result[] & {
  /** Items that were not examined could be among the best, because their words have more entries than a search examines. */
  readonly isTruncated: boolean
}

/** Adds the information from the response headers to the results. */
export const readFoundItems = (found: unknown, { headers }: Response): unknown =>
  Object.assign(found as unknown[], { isTruncated: headers.has('x-search-truncated') })
