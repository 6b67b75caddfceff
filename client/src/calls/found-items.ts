/** How the words of a search are meant. */
export type WordOptions = {
  /** The last word is the beginning of one. */
  prefix?: boolean
  /** Whether one of the words is enough, as by default, or every word has to be there. */
  match?: 'any' | 'all'
}

/** What a search has found, the best first. */
export type FoundItems<Result> = Result[] & {
  /** Items that were not looked at could be among the best: their words have more entries than a search looks at. */
  readonly isTruncated: boolean
}

/** Adds what the head of the answer says to what was found. */
export const readFoundItems = (found: unknown, { headers }: Response): unknown =>
  Object.assign(found as unknown[], { isTruncated: headers.has('x-search-truncated') })
