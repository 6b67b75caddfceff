import test from 'ava'
import { aliasOf, titleOf } from '#services/dashboard/pages/lists/item-title.ts'

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
