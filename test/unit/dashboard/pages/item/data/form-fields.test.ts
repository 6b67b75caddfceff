import test from 'ava'
import { parse } from '#client/src/json.ts'
import { chosenValue, fieldsOf, shownValue, withValue } from '#services/dashboard/pages/item/data/form-fields.ts'

const flat = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', title: 'Title' },
    serves: { type: 'integer' },
    price: { type: 'number', description: 'In euros.' },
    vegan: { type: 'boolean' },
    kind: { enum: ['cake', 7, null] },
    day: { type: 'string', format: 'date' },
  },
}

test('a flat schema is a form of strings, numbers, booleans, choices and dates', (t) => {
  const fields = fieldsOf(flat) ?? []
  t.deepEqual(
    fields.map(({ key, kind }) => `${key} ${kind}`),
    ['title text', 'serves number', 'price number', 'vegan boolean', 'kind choice', 'day date'],
  )
  t.deepEqual(fields[4]?.choices, ['"cake"', '7', 'null'])
  t.deepEqual([fields[0]?.isRequired, fields[1]?.isRequired], [true, false])
  t.deepEqual([fields[0]?.label, fields[2]?.help], ['Title', 'In euros.'])
})

test('a number to choose has the digits that the schema has', (t) => {
  const schema = parse('{"type":"object","properties":{"id":{"enum":[90072192547411331,1.5]}}}') as typeof flat
  t.deepEqual(fieldsOf(schema)?.[0]?.choices, ['90072192547411331', '1.5'])
})

const others: [claim: string, schema: Record<string, unknown> | null][] = [
  ['no schema', null],
  ['no properties', { type: 'object' }],
  ['an array', { type: 'array' }],
  ['a property that is an object', { type: 'object', properties: { a: { type: 'object' } } }],
  ['a property of several types', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
  ['a condition', { ...flat, if: {} }],
  ['a reference', { type: 'object', properties: { a: { $ref: '#/definitions/a' } } }],
  ['objects to choose from', { type: 'object', properties: { a: { enum: [{}] } } }],
]
for (const [claim, schema] of others) test(`no form: ${claim}`, (t) => t.is(fieldsOf(schema), null))

const number = { pointer: '/n', kind: 'number' } as const
const textField = { pointer: '/t', kind: 'text' } as const

test('a number keeps the digits that were typed, and what is none goes as a string', (t) => {
  t.is(withValue('{"a":1e400,"n":1}', number, ' 9007199254740993 '), '{"a":1e400,"n":9007199254740993}')
  t.is(withValue('{"n":1}', number, '1.50'), '{"n":1.50}')
  for (const typed of ['1.', '01', 'abc', '0x1']) t.is(withValue('{"n":1}', number, typed), `{"n":"${typed}"}`)
})

test('nothing typed takes the member out, and everything else keeps its text', (t) => {
  t.is(withValue('{"10":1.0,"n":1,"2":"\\u0061"}', number, ''), '{"10":1.0,"2":"\\u0061"}')
  t.is(withValue('{}', number, ''), '{}')
  t.is(withValue('null', textField, 'a"b'), '{"t":"a\\"b"}')
})

test('a control shows a string without quotes and a number as it is written', (t) => {
  t.is(shownValue('{"t":"a\\"b"}', textField), 'a"b')
  t.is(shownValue('{"n":1e400}', number), '1e400')
  t.is(shownValue('{}', number), '')
  t.is(chosenValue('{"t":"cake"}', textField), '"cake"')
})
