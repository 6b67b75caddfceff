import test from 'ava'
import { createHints, maxHintIds, maxHints, topicOf } from '#shared/domain/realtime/hints.ts'

test('hints of the same topic and list are combined, and returned once', (t) => {
  const hints = createHints()
  for (const id of ['a', 'b', 'a']) hints.add({ topic: 'items', listId: 'l', ids: [id] })
  hints.add({ topic: 'lists', listId: 'l', ids: ['l'] })
  hints.add({ topic: 'deliveries', webhookId: 'w', ids: ['d'] })
  t.false(hints.isEmpty())
  t.deepEqual(hints.take(), [
    { topic: 'items', listId: 'l', ids: ['a', 'b'] },
    { topic: 'lists', listId: 'l', ids: ['l'] },
    { topic: 'deliveries', webhookId: 'w', ids: ['d'] },
  ])
  t.true(hints.isEmpty())
  t.deepEqual(hints.take(), [])
})

test('beyond the limit of ids and of lists, a hint says that there are others', (t) => {
  const hints = createHints()
  for (let n = 0; n <= maxHintIds; n++) hints.add({ topic: 'items', listId: 'l', ids: [`${n}`] })
  const [items] = hints.take()
  t.is(items?.ids.length, maxHintIds)
  t.true(items?.more)
  for (let n = 0; n < maxHints + 20; n++) hints.add({ topic: 'lists', listId: `${n}`, ids: [`${n}`] })
  const lists = hints.take()
  t.is(lists.length, maxHints + 1)
  t.deepEqual(lists.at(-1), { topic: 'lists', ids: [], more: true })
  hints.add({ topic: 'items', listId: 'l', ids: ['a'], more: true })
  t.true(hints.take()[0]?.more)
})

test('each type of events has the topic of its subject', (t) => {
  t.deepEqual(['item-restored', 'list-created', 'index-updated', 'token-rotated', 'user-updated'].map(topicOf), [
    'items',
    'lists',
    'indexes',
    'tokens',
    undefined,
  ])
})
