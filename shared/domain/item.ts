/** An item as the code holds it. Times are epoch milliseconds. */
export type Item = {
  id: string
  accountId: string
  listId: string
  createdAt: number
  updatedAt: number
  /** The source text of the data: compact JSON, key order and number text as sent. */
  data: string
  description: string
  tags: string[]
  /** `<major>.<minor>.<patch>` */
  version: string
  /** Internal revision, from 1, +1 on every write; the item's etag. */
  revision: number
  readonly: boolean
  activated: boolean
  locked: boolean
  /** Bytes of `data` in UTF-8. */
  size: number
  /** The identity that owns the item. */
  identity: { id: string; displayName: string } | null
}
