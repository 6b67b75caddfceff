import { initialValues } from '../fields/values.ts'
import type { List } from '../list/fields.ts'
import { foldTags } from '../tags.ts'
import { utf8Length } from '../text/utf8-length.ts'
import { type ItemBody, itemFields } from './fields.ts'
import type { Item } from './item.ts'

/** The data of an item as compact JSON text, with their bytes. */
export type ItemText = Pick<Item, 'data' | 'size'>

/** What a new item is besides the fields that its writer sets. */
type Birth = ItemText & {
  id: string
  list: Pick<List, 'id' | 'accountId'>
  identity: Item['identity']
  /** Epoch milliseconds: the time of its id, so that items are in order of creation wherever they are in order of their ids. */
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

/** Copied for each item, whose tags are its own. */
const initial = initialValues(itemFields)

export function itemText(data: string): ItemText {
  return { data, size: utf8Length(data) }
}
