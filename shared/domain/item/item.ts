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

/** What an item's text has beside its fields. */
type ItemText = {
  /** The JSON text of the members about its data; null: none. */
  data: string | null
  /** Its entity tag, for whoever may write it next; absent from what is kept or sent as a fact, such as payloads. */
  etag?: string | undefined
}

/**
 * An item as clients see it, as JSON text: its data keeps the text that was sent (contract 2.2). Without `includeData`
 * the key `data` is absent.
 */
export function serializeItem(
  item: Item,
  { includeData, etag }: Pick<ItemText, 'etag'> & { includeData: boolean },
): string {
  return serializeItemFields(item, { data: includeData ? `"data":${item.data}` : null, etag })
}

/** The item's fields in the order of the specification's table. */
export function serializeItemFields(item: Item, { data, etag }: ItemText): string {
  const { id, createdAt, updatedAt, identity, version, readonly, activated, description, tags, size, locked } = item
  const times = { createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() }
  const owner = identity && { id: identity.id, displayName: identity.displayName }
  const before = JSON.stringify({ id, ...times, identity: owner })
  const after = JSON.stringify({ version, readonly, activated, description, tags, size, locked, etag })
  return `${before.slice(0, -1)},${data === null ? '' : `${data},`}${after.slice(1)}`
}
