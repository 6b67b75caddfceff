import test from 'ava'
import { readItem } from '#services/dashboard/pages/item/item-text.ts'
import { layOut } from '#shared/json/text/layout.ts'
import { randomJson, seeded } from '../../../../support/load/random-json.ts'

const answerWith = (data: string) =>
  `{"id":"x","tags":["a"],"data":${data},"version":"1.0.0","description":"\\"data\\":","etag":"\\"7\\""}`

test('a response has the data as text, byte for byte, and everything else as values', (t) => {
  const random = seeded(3)
  for (let round = 0; round < 200; round++) {
    const data = randomJson(random).compact
    for (const answer of [answerWith(data), layOut(answerWith(data))]) {
      const item = readItem(answer)
      t.is(item.data, data)
      t.is(item.etag, '"7"')
      t.is(item.description, '"data":')
      t.deepEqual(item.tags, ['a'])
    }
  }
})
