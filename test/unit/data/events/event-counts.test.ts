import test from 'ava'
import { eventCountRows, eventCounts } from '#shared/data/events/event-counts.ts'

const event = (accountId: string, type: string, id: string) => ({ id: `0190-${id}`, accountId, type })

test('the entries of a transaction are counted by account and type, all in the shard of the first', (t) => {
  const events = [
    event('b', 'item-created', 'f'),
    event('a', 'item-updated', '1'),
    event('b', 'item-created', '2'),
    event('a', 'item-created', '3'),
  ]
  t.deepEqual(eventCounts(events), [
    ['b', 'item-created', 15, 2],
    ['a', 'item-updated', 15, 1],
    ['a', 'item-created', 15, 1],
  ])
  const sorted = ['a', 'item-created', 15, 1, 'a', 'item-updated', 15, 1, 'b', 'item-created', 15, 2]
  t.deepEqual(eventCountRows(eventCounts(events)).values, sorted)
})

test('the ids of entries map to sixteen shards, and there are no others', (t) => {
  const shards = (digits: string) => [...digits].map((digit) => eventCounts([event('a', 't', digit)])[0]?.[2])
  t.deepEqual(
    shards('0123456789abcdef'),
    Array.from({ length: 16 }, (_, n) => n),
  )
  t.deepEqual(shards('xz-'), [0, 0, 0])
})
