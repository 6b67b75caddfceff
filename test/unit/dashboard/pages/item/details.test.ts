import test from 'ava'
import { changedDetails, detailsOf } from '#services/dashboard/pages/item/details.ts'
import { readItem } from '#services/dashboard/pages/item/item-text.ts'

const item = readItem(
  '{"data":null,"description":"","tags":["a","b"],"version":"1.0.0","readonly":false,"locked":false,"activated":true}',
)

test('a write has only the changed fields', (t) => {
  const details = detailsOf(item)
  t.deepEqual(changedDetails(item, details), {})
  t.deepEqual(changedDetails(item, { ...details, locked: true, description: 'x' }), { locked: true, description: 'x' })
})

test('tags are separated by commas', (t) => {
  t.is(detailsOf(item).tags, 'a, b')
  t.deepEqual(changedDetails(item, { ...detailsOf(item), tags: ' b ,, c' }), { tags: ['b', 'c'] })
})
