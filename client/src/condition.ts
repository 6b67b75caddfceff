/** The properties of a read item that a conditional write needs. Copies and rows of pages have them. */
export type ReadItem = { readonly id: string; readonly etag?: string | undefined }

/** Makes a write conditional on the item being unchanged since the caller read it. */
export type Condition = {
  ifMatch: string
  /** Records the new state of the item. @param answer the item after the write */
  met(answer: unknown): void
}

/** The message for a caller that gave an item; the service's own is about a header. */
export const changedSinceRead = 'The item was changed since it was read. Read it again, or pass its id to write anyway.'

/**
 * For each object passed to a write: its etag, and the etag after the write. Not keyed by etag: two users may have read the same state
 * through one client, and the second write must be rejected.
 */
const written = new WeakMap<object, { read: string; left: string }>()

/**
 * The condition that the item has not changed since it was read. Earlier writes with the same object count as read. The object
 * itself stays as it is.
 * @throws TypeError for an item without an etag, such as one of a dry run, of an event or of a webhook
 */
export function unchangedSinceRead(item: ReadItem): Condition {
  const { etag: read } = item
  if (!read) throw new TypeError('The item has no etag to compare. Read the item, or pass its id to write anyway.')
  const earlier = written.get(item)
  return {
    ifMatch: earlier?.read === read ? earlier.left : read,
    met(answer) {
      const { etag: left } = Object(answer)
      if (left) written.set(item, { read, left })
    },
  }
}
