import test from 'ava'
import { messages } from '#shared/bus/stream/publisher.ts'
import { createIds } from '#shared/crypto/ids.ts'
import { atMost } from '../../../support/assertions/bounds.ts'

const newId = createIds(() => 1_700_000_000_000)
const idsOf = (text: string): string[] => JSON.parse(text).eventIds

test('a group is one message with its request id and event ids', (t) => {
  t.deepEqual(messages({ requestId: 'r', eventIds: ['a', 'b'] }), ['{"requestId":"r","eventIds":["a","b"]}'])
})

test('a group of a batch of 1,000 operations is still one message', (t) => {
  t.is(messages({ requestId: 'r'.repeat(100), eventIds: Array.from({ length: 1_000 }, newId) }).length, 1)
})

test('a group over 64 KiB is several messages that together carry everything, in order', (t) => {
  const eventIds = Array.from({ length: 10_000 }, newId)
  const texts = messages({ requestId: 'ü'.repeat(100), eventIds })
  atMost(t, Math.max(...texts.map((text) => Buffer.byteLength(text))), 64 * 1024, 'bytes of a message')
  atMost(t, texts.length, 7, 'messages')
  t.deepEqual(texts.flatMap(idsOf), eventIds)
})

test('no events, no message', (t) => {
  t.deepEqual(messages({ requestId: 'r', eventIds: [] }), [])
})
