import test from 'ava'
import { changesBetween, placeName, readSnapshot } from '#services/dashboard/parts/events/event-changes.ts'

const snapshot = (data: string, more = '"tags":[]') =>
  `{"updatedAt":"${data.length}","data":${data},${more},"version":"1.0.${data.length}","size":9}`

test('an event has its snapshot as text, and null if it has none', (t) => {
  t.is(readSnapshot('{"id":"e","snapshot": {"data": 1e400}}'), '{"data":1e400}')
  t.is(readSnapshot('{"id":"e"}'), null)
})

test('between two snapshots only the changes of users are shown', (t) => {
  t.deepEqual(changesBetween(snapshot('{"a":1}'), snapshot('{"a":10}', '"tags":["x"]')), [
    { kind: 'changed', pointer: '/data/a', from: '1', to: '10' },
    { kind: 'added', pointer: '/tags/0', to: '"x"' },
  ])
  t.deepEqual(changesBetween(snapshot('{"a":1}'), snapshot('{"a":1}')), [])
})

test('the first event shows its data', (t) => {
  t.deepEqual(changesBetween(null, snapshot('{"a":1}')), [{ kind: 'added', pointer: '/data', to: '{"a":1}' }])
})

test('data are named by their pointers, and fields by their names', (t) => {
  t.deepEqual(['/data/a/0', '/data', '/tags', '/readonly'].map(placeName), [
    '/a/0',
    'the whole data',
    'tags',
    'readonly',
  ])
})
