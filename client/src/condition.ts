/** What a write needs of an item that was read: any copy has it, and so has a row of a page. */
export type ReadItem = { readonly id: string; readonly etag?: string | undefined }

/** Lets a write through only while the item is as the caller has read it. */
export type Condition = {
  ifMatch: string
  /** Remembers what the item became. @param answer the item after the write */
  met(answer: unknown): void
}

/** The message for a caller that gave an item; the service's own is about a header. */
export const changedSinceRead = 'The item was changed since it was read. Read it again, or pass its id to write anyway.'

/**
 * By the object that was given to a write: the tag that it had, and the tag that the write left the item with. It is not kept by
 * tag: two people may have read the same state through one client, and the second of them to write must be rejected.
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
