import { initialValues } from '../fields/values.ts'
import type { List } from '../list/fields.ts'
import { foldTags } from '../tags.ts'
import { utf8Length } from '../text/utf8-length.ts'
import { type ItemBody, itemFields } from './fields.ts'
import type { Item } from './item.ts'

/** The data of an item as compact JSON text, with their bytes. */
export type ItemText = Pick<Item, 'data' | 'size'>

/** The properties of a new item that its writer does not set. */
type Birth = ItemText & {
  id: string
  list: Pick<List, 'id' | 'accountId'>
  identity: Item['identity']
  /** Epoch milliseconds: the time of its id, so that the order of ids is the order of creation. */
  at: number
}

/** An item as it is created, by a write or by a flow. */
export function newItem({ data: _parsed, ...fields }: ItemBody, birth: Birth): Item {
  const { id, list, data, size, at, identity } = birth
  return {
    ...initial,
    ...fields,
    id,
    accountId: list.accountId,
    listId: list.id,
    createdAt: at,
    updatedAt: at,
    data,
    size,
    tags: foldTags(fields.tags ?? []),
    revision: 1,
    identity,
  }
}

/** Copied for each item, so that items do not share their tags. */
const initial = initialValues(itemFields)

export function itemText(data: string): ItemText {
  return { data, size: utf8Length(data) }
}
