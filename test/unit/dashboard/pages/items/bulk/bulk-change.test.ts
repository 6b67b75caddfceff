import test from 'ava'
import { type BulkItem, inverseOf, operationOf, readTags } from '#services/dashboard/pages/items/bulk/bulk-change.ts'

const item: BulkItem = { id: 'i', tags: ['a', 'b'], description: '', readonly: false, activated: true, locked: false }

test('tags are added to those of an item, removed from them, or replace them', (t) => {
  const after = (how: 'add' | 'remove' | 'replace', ...tags: string[]) => operationOf({ kind: 'tags', how, tags }, item)
  t.deepEqual(after('add', 'b', 'c'), { op: 'update', item: 'i', tags: ['a', 'b', 'c'] })
  t.deepEqual(after('remove', 'b', 'c'), { op: 'update', item: 'i', tags: ['a'] })
  t.deepEqual(after('replace'), { op: 'update', item: 'i', tags: [] })
})

test('an item that needs no change is not written', (t) => {
  t.is(operationOf({ kind: 'tags', how: 'add', tags: ['a'] }, item), null)
  t.is(operationOf({ kind: 'tags', how: 'remove', tags: ['z'] }, item), null)
  t.is(operationOf({ kind: 'fields', fields: { activated: true, description: '' } }, item), null)
  t.deepEqual(operationOf({ kind: 'fields', fields: { activated: true, locked: true } }, item), {
    op: 'update',
    item: 'i',
    activated: true,
    locked: true,
  })
})

test('a deleted item is written anyway, so that the server reports it', (t) => {
  const operation = operationOf({ kind: 'tags', how: 'remove', tags: ['a'] }, { ...item, tags: [], isGone: true })
  t.deepEqual(operation, { op: 'update', item: 'i', tags: [] })
})

test('the inverse of a change restores the old values of the changed fields', (t) => {
  const operation = operationOf({ kind: 'fields', fields: { readonly: true, description: 'new' } }, item)
  t.deepEqual(operation && inverseOf(operation, item), { op: 'update', item: 'i', readonly: false, description: '' })
  t.is(inverseOf({ op: 'delete', item: 'i' }, item), null)
})

test('tags are typed with commas between them, and stored as the server stores them', (t) => {
  t.deepEqual(readTags(' Big, party ,,BIG'), ['big', 'party'])
  t.deepEqual(readTags(''), [])
})
