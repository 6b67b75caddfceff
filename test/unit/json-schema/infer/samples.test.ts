import test, { type ExecutionContext } from 'ava'
import { readSamples, type Samples } from '#shared/json-schema/infer/samples.ts'

const options = { maxDepth: 200 }

function read(t: ExecutionContext, text: string, from?: string | null): Samples {
  const samples = readSamples(text, from === undefined ? options : { ...options, from })
  if ('why' in samples) t.fail(samples.why)
  return samples as Samples
}

const texts: [claim: string, text: string, items: string[]][] = [
  ['an object is one item', ' { "a" : 1 }\n', ['{"a":1}']],
  ['the elements of an array are items', '[ {"a": 1}, {"b": [ ] } ]', ['{"a":1}', '{"b":[]}']],
  ['NDJSON has an item on each line', '{"a":1}\r\n\n{"a": 2}\n', ['{"a":1}', '{"a":2}']],
  ['values may follow each other, with or without commas', '{"a":1} {"a":2},\n{"a":3},', ['{"a":1}', '{"a":2}', '{"a":3}']],
  ['an item need not be an object', '[1, "two", null]', ['1', '"two"', 'null']],
  ['a text without a value has no items', ' \n', []],
  ['an empty array has no items', '[]', []],
  ['of an object with only an array of objects, the elements are items', '{"recipes": [{"a": 1}, {"a": 2}]}', ['{"a":1}', '{"a":2}']],
  ['the same holds for a page of an API', '{"page": 1, "total": 2, "data": [{"a": 1}, {"a": 2}]}', ['{"a":1}', '{"a":2}']],
  ['an object that also holds objects is one item', '{"title":"Soup","steps":[{"do":"stir"}]}', ['{"title":"Soup","steps":[{"do":"stir"}]}']],
  ['numbers and the order of keys stay as they are', '[{"10":1.0,"2":9007199254740993,"b":1e400}]', ['{"10":1.0,"2":9007199254740993,"b":1e400}']],
] // biome-ignore format: a table

for (const [claim, text, items] of texts) test(claim, (t) => t.deepEqual(read(t, text).items, items))

test('the user who pasted an object chooses the items', (t) => {
  const text = '{"title":"Soup","steps":[{"do":"stir"},{"do":"wait"}],"tags":["a"]}'
  t.like(read(t, text), { from: null, choices: ['steps'] })
  t.deepEqual(read(t, text, 'steps'), { items: ['{"do":"stir"}', '{"do":"wait"}'], from: 'steps', choices: ['steps'] })
  t.is(read(t, '{"recipes":[{"a":1}]}', null).items.length, 1)
})

test('malformed text is reported with its position', (t) => {
  t.deepEqual(readSamples('[{"a": 1},\n {"a" 2}]', options), { offset: 17, why: 'a colon is expected here' })
  t.deepEqual(readSamples('{"a":1}\n{"a":1,"a":2}', options), { offset: 15, why: 'a key is repeated in one object' })
  t.like(readSamples('{"a":1}\noops', options), { offset: 8 })
})

test('an item may nest as deeply as stored items', (t) => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  t.is(read(t, `{"data":[{"a":${nested(199)}}]}`).items.length, 1)
  t.like(readSamples(nested(300), options), { why: 'nested deeper than 202 levels' })
})
