import test from 'ava'
import { aliasOf, readItem, titleOf } from '#services/dashboard/pages/item/item-text.ts'
import { layOut } from '#shared/json/text/layout.ts'
import { randomJson, seeded } from '../../../../support/load/random-json.ts'

const answerWith = (data: string) =>
  `{"id":"x","tags":["a"],"data":${data},"version":"1.0.0","description":"\\"data\\":","etag":"\\"7\\""}`

test('an answer gives the data as text, byte for byte, and everything else as values', (t) => {
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

const titles: [data: string, title: string][] = [
  ['{"slug":"s","title":"Ti\\u0074le"}', 'Title'],
  ['{"title":" ","name":"Name"}', 'Name'],
  ['{"title":5}', 'alias'],
  ['[{"title":"no"}]', 'alias'],
  ['null', 'alias'],
]
for (const [data, title] of titles) {
  test(`${data} is called ${title}`, (t) => t.is(titleOf({ id: 'id', data }, 'alias'), title))
}

test('an item without alias and name is called by its id', (t) => t.is(titleOf({ id: 'id', data: '{}' }, null), 'id'))

test('the alias is the value at the pointer of the alias index', (t) => {
  t.is(aliasOf('{"a":{"b":"x\\u0079"}}', '/a/b'), 'xy')
  t.is(aliasOf('{"a":9007199254740993}', '/a'), '9007199254740993')
  for (const data of ['{}', '{"a":null}', '{"a":{}}', '{"a":[]}', 'null']) t.is(aliasOf(data, '/a'), null, data)
  t.is(aliasOf('{"a":"x"}', undefined), null)
})
