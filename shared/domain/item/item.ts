import type { ValuesOf } from '../fields/field.ts'
import { ownFields } from '../fields/resource-fields.ts'
import { serializer } from '../fields/values.ts'
import { fieldsBehindData, type itemFields } from './fields.ts'

/** An item as the code represents it. Times are epoch milliseconds. */
export interface Item extends ValuesOf<typeof itemFields> {
  /** The source text of the data: compact JSON, key order and number text as sent. */
  data: string
  /** The identity that owns the item. */
  identity: { id: string; displayName: string } | null
}

/** The members of an item's text in addition to its fields. */
type ItemText = {
  /** The JSON text of the members about its data; null: none. */
  data: string | null
  /** Its entity tag, for a client that may write it next; absent in stored or sent records, such as payloads. */
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
  const { identity } = item
  const owner = identity ? JSON.stringify({ id: identity.id, displayName: identity.displayName }) : 'null'
  const before = `${serializeOwnFields(item).slice(0, -1)},"identity":${owner}`
  const after = serializeFieldsBehindData(item).slice(1, -1)
  const end = etag === undefined ? '}' : `,"etag":${JSON.stringify(etag)}}`
  return `${before},${data === null ? '' : `${data},`}${after}${end}`
}

const serializeOwnFields = serializer(ownFields)
const serializeFieldsBehindData = serializer(fieldsBehindData)
