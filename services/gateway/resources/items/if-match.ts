import { validationFailed } from '#shared/errors.ts'

/** The etag of an item: its revision, which only grows and reveals nothing about the item's data. */
export function etagOf(revision: number): string {
  return `"${revision}"`
}

/** `*`, or tags in double quotes, as RFC 9110 has it. */
const tags = /^\s*(?:\*|(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*)\s*$/

/** @throws VALIDATION_FAILED for a text that could match nothing: it would read like a conflict that never ends */
export function parseIfMatch(header: string | undefined): string | undefined {
  if (header === undefined || tags.test(header)) return header
  const message = 'must be * or tags in double quotes, as `etag` has them, such as "3"'
  throw validationFailed([{ path: 'if-match', message }])
}

/**
 * Whether an `if-match` header allows a write (RFC 9110, strong comparison): absent, `*`, or one of its tags is the
 * revision's.
 */
export function matchesRevision(ifMatch: string | undefined, revision: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((tag) => tag.trim() === etagOf(revision))
}
