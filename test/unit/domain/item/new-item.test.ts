import test from 'ava'
import { itemText, newItem } from '#shared/domain/item/new-item.ts'

const list = { id: 'list', accountId: 'account' }
const birth = { id: 'item', list, ...itemText('{"a":"é"}'), at: 7, identity: null }

test('a new item has its first version and revision, is activated, and has no other owner', (t) => {
  t.like(newItem({}, birth), {
    id: 'item',
    listId: 'list',
    accountId: 'account',
    data: '{"a":"é"}',
    size: 10,
    version: '1.0.0',
    revision: 1,
    createdAt: 7,
    updatedAt: 7,
    readonly: false,
    activated: true,
    locked: false,
    identity: null,
    tags: [],
  })
})

test('the fields of its body are kept, its tags in their stored form, and its data as the text that was sent', (t) => {
  const item = newItem({ version: '2.0.0', activated: false, tags: ['B', 'a', 'b'], data: { other: 1 } }, birth)
  t.like(item, { version: '2.0.0', activated: false, data: '{"a":"é"}', tags: ['b', 'a'] })
  t.not(newItem({}, birth).tags, newItem({}, birth).tags)
})
