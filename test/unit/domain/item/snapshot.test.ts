import test from 'ava'
import { serializeItem } from '#shared/domain/item/item.ts'
import { itemFromSnapshot, readSnapshot } from '#shared/domain/item/snapshot.ts'
import { plainItem } from '../../../support/databases/contents/items.ts'

test('a snapshot is read as the item from which it was created, with the text of its data', (t) => {
  const data = '{"10":1e400,"2":"\\u0061","data":{"size":1.0}}'
  const item = plainItem({ data, tags: ['a'], version: '1.2.3', revision: 7, readonly: true, description: '"data":' })
  const snapshot = serializeItem(item, { includeData: true })
  t.deepEqual(itemFromSnapshot({ snapshot, revision: 7 }, item), item)
})

test('the owner is the current one of the item', (t) => {
  const owned = plainItem({ identity: { id: 'identity-1', displayName: 'Ada' } })
  const snapshot = serializeItem(owned, { includeData: true })
  t.is(itemFromSnapshot({ snapshot, revision: 1 }, plainItem()).identity, null)
})

test('a snapshot alone shows the owner at that time', (t) => {
  const owned = plainItem({ identity: { id: 'identity-1', displayName: 'Ada' }, createdAt: 5 })
  const snapshot = serializeItem(owned, { includeData: true })
  t.deepEqual(readSnapshot({ snapshot, revision: owned.revision }, owned), owned)
})
