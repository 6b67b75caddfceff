import test from 'ava'
import { type Pasted, readPasted } from '#services/dashboard/pages/new-list/pasted/pasted.ts'

const read = (text: string, from?: string | null) => readPasted(text, from) as Pasted

test('a pasted text is items, a name, a schema and indexes', (t) => {
  const pasted = read('{"recipes": [{"slug": "soup", "serves": 2}, {"slug": "pie", "serves": 4}]}')
  t.like(pasted, { items: ['{"slug":"soup","serves":2}', '{"slug":"pie","serves":4}'], name: 'Recipes' })
  t.deepEqual(Object.keys(JSON.parse(pasted.schema).properties), ['slug', 'serves'])
  t.deepEqual(
    pasted.indexes.map(({ pathName }) => pathName),
    ['slug', 'serves'],
  )
})

test('a text without items is nothing yet', (t) => {
  t.is(readPasted('', undefined), null)
  t.is(readPasted('[]', undefined), null)
})

test('unreadable text is reported with its position', (t) => {
  t.deepEqual(readPasted('{"a": }', undefined), {
    offset: 6,
    message: 'This is not valid JSON: a value is expected here.',
  })
})

test('a text that is too long for one page has an error that says so', (t) => {
  for (const text of [' '.repeat(4_000_001), `[${'1,'.repeat(10_000)}1]`]) {
    const rejected = readPasted(text, undefined)
    t.regex(rejected && 'message' in rejected ? rejected.message : '', /import the rest/)
  }
})
