import test from 'ava'
import { schemaTexts } from '#shared/domain/sync/schema-texts.ts'

test('the schema of each list is the text that was sent', (t) => {
  const lists =
    '{"a":{"name":"x","schema":{"2":1.0,"1":{"const":12345678901234567890}},"indexes":{}},"b":{"schema":{}},"c":{"schema":null},"d":{}}'
  t.deepEqual(
    [...schemaTexts(lists)],
    [
      ['a', '{"2":1.0,"1":{"const":12345678901234567890}}'],
      ['b', '{}'],
      ['c', null],
      ['d', null],
    ],
  )
})

test('braces, quotes and escapes inside strings and keys are not misread', (t) => {
  const lists = '{"a":{"description":"}\\"{,","\\u0073chema":{"title":"]}"}}}'
  t.deepEqual([...schemaTexts(lists)], [['a', '{"title":"]}"}']])
})

test('entries and schemas that are not objects have no text', (t) => {
  const texts = [...schemaTexts('{"a":1,"b":[{"schema":{}}],"c":{"schema":[1]},"d":"{}"}')]
  t.deepEqual(
    texts,
    ['a', 'b', 'c', 'd'].map((key) => [key, null]),
  )
})
