/** The etag of an item: its revision, which only grows and reveals nothing about the item's data. */
export function etagOf(revision: number): string {
  return `"${revision}"`
}

/**
 * Whether an `if-match` header allows a write (RFC 9110, strong comparison): absent, `*`, or one of its tags is the
 * revision's. Text that is not a tag matches nothing.
 */
export function matchesRevision(ifMatch: string | undefined, revision: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((tag) => tag.trim() === etagOf(revision))
}
