/** The etag of an item: its revision, which only grows and tells nothing of what the item holds. */
export function etagOf(revision: number): string {
  return `"${revision}"`
}

/**
 * Whether an `if-match` header lets a write go on (RFC 9110, strong comparison): absent, `*`, or one of its tags is that
 * of the revision. What is no tag matches nothing.
 */
export function matchesRevision(ifMatch: string | undefined, revision: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((tag) => tag.trim() === etagOf(revision))
}
