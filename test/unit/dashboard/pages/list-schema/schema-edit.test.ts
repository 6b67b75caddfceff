import test from 'ava'
import {
  withComment,
  withElements,
  withoutProperty,
  withProperty,
  withRequired,
  withTypes,
} from '#services/dashboard/pages/list-schema/schema-edit.ts'
import { compact } from '#shared/json/text/layout.ts'

const schema =
  '{"x-owner": "kitchen","properties": {"10": {"type": "string", "x-unit": 1.0}, "b": true}, "required": ["10"], "big": 9007199254740993}'
const begin = '{"x-owner":"kitchen","properties":{"10":{"type":"string","x-unit":1.0},"b":true'
const end = '"required":["10"],"big":9007199254740993}'

test('another type keeps unknown keywords, the order of keys and the text of numbers', (t) => {
  t.is(
    compact(withTypes(schema, '/properties/10', ['integer', 'null'])),
    `${begin.replace('"string"', '["integer","null"]')}},${end}`,
  )
  t.is(compact(withTypes(schema, '/properties/10', [])), `${begin.replace('"type":"string",', '')}},${end}`)
  t.is(compact(withTypes(schema, '', ['object'])), `${begin}},${end.slice(0, -1)},"type":"object"}`)
})

test('a schema that allows anything gets a type', (t) => {
  t.is(compact(withTypes(schema, '/properties/b', ['string'])), `${begin.replace('true', '{"type":"string"}')}},${end}`)
})

test('a property becomes required, and optional again', (t) => {
  const both = withRequired(schema, '', 'b', true)
  t.is(compact(both), `${begin}},${end.replace('["10"]', '["10","b"]')}`)
  t.is(withRequired(both, '', 'b', true), both, 'once is enough')
  t.is(compact(withRequired(both, '', 'b', false)), compact(schema))
  t.is(compact(withRequired(schema, '', '10', false)), compact(schema).replace('"required":["10"],', ''))
  t.is(compact(withRequired('{}', '', 'a', true)), '{"required":["a"]}')
})

test('a property is added after the others, even if there was none', (t) => {
  t.is(compact(withProperty(schema, '', 'a/b', ['string'])), `${begin},"a/b":{"type":"string"}},${end}`)
  t.is(compact(withProperty('{"items":{}}', '/items', 'a', [])), '{"items":{"properties":{"a":{}}}}')
})

test('deleting a property also removes it from required', (t) => {
  t.is(
    compact(withoutProperty(schema, '', '10')),
    '{"x-owner":"kitchen","properties":{"b":true},"big":9007199254740993}',
  )
  t.is(compact(withoutProperty(schema, '', 'b')), compact(schema).replace(',"b":true', ''))
})

test('new elements of an array may be anything', (t) => {
  t.is(compact(withElements('{"type":"array"}', '')), '{"type":"array","items":{}}')
})

test('adding a comment does not change the meaning', (t) => {
  t.is(withComment('{ }', 'x'), '{"$comment":"x"}')
  t.is(withComment('{ "$comment": "y", "a": 1.0 }', 'x'), '{"$comment":"x","a":1.0}')
})
