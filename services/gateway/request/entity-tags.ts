import { AppError } from '#shared/errors.ts'

/** The tags of an `if-match` or `if-none-match` (RFC 9110, section 8.8.3); `*` stands for any. */
export type EntityTags = '*' | readonly EntityTag[]

/** `tag` has its quotes. */
type EntityTag = { tag: string; isWeak: boolean }

const element = /[ \t]*(?:(W\/)?("[^"]*")[ \t]*)?(?:,|$)/y

/**
 * Reads a list of tags; its empty elements do not count (RFC 9110, section 5.6.1).
 * @returns null for text that has no tag, or anything that is not a tag
 */
export function parseEntityTags(header: string): EntityTags | null {
  if (header.trim() === '*') return '*'
  const tags: EntityTag[] = []
  for (let at = 0; at < header.length; at = element.lastIndex) {
    element.lastIndex = at
    const found = element.exec(header)
    if (!found) return null
    const [, weak, tag] = found
    if (tag !== undefined) tags.push({ tag, isWeak: weak !== undefined })
  }
  return tags.length > 0 ? tags : null
}

/** Whether `isMeant` accepts one of the tags, by strong comparison: a weak tag says nothing about the bytes. */
export function hasStrong(tags: EntityTags, isMeant: (tag: string) => boolean): boolean {
  return tags === '*' || tags.some(({ tag, isWeak }) => !isWeak && isMeant(tag))
}

/** Whether one of the tags is this one, by weak comparison: proxies that compress an answer make its tag weak. */
export function hasWeak(tags: EntityTags, etag: string): boolean {
  return tags === '*' || tags.some(({ tag }) => tag === etag)
}

/** The error of an `if-match` that fails. @param name the route's name for the error */
export function matchFailed(name: 'ITEM_PRECONDITION_FAILED' | 'PRECONDITION_FAILED', tags: EntityTags): AppError {
  const isWeak = tags !== '*' && tags.every(({ isWeak }) => isWeak)
  return new AppError(name, isWeak ? { message: onlyWeak } : {})
}

/** Otherwise a client whose proxy weakened the tag would see an endless conflict. */
const onlyWeak = 'A weak tag in if-match never matches; send the tag without W/.'

/** The tag of a revision: in writes, in items, and in reads that show the revision. */
export function revisionTag(revision: number): string {
  return `"${revision}"`
}

/**
 * Whether an `if-match` allows a write at this revision: by the revision's tag, or by the tag of a read, in which a hash
 * follows the revision.
 */
export function matchesRevision(tags: EntityTags, revision: number): boolean {
  return hasStrong(tags, (tag) => tag === revisionTag(revision) || tag.startsWith(`"${revision}-`))
}
