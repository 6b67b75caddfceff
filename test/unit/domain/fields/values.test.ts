import test from 'ava'
import type { Fields } from '#shared/domain/fields/field.ts'
import { answerSchema } from '#shared/domain/fields/json-schema.ts'
import { answer, initialValues, namesIn, namesOfKind, serializer } from '#shared/domain/fields/values.ts'

const petFields = {
  id: { kind: 'text', max: 36, about: 'Its id.' },
  bornAt: { kind: 'time', nullable: true, initial: null, write: ['create'], about: 'When it was born.' },
  tags: { kind: 'list', of: 'tag', max: 3, initial: [], write: ['create', 'update', 'sync'], about: 'Its tags.' },
  isTame: { kind: 'flag', initial: true, write: ['update'], about: 'Whether it may be stroked.' },
  size: { kind: 'choice', of: ['small', 'big'], nullable: true, about: 'Its size.' },
  shape: { kind: 'json', nullable: true, about: 'Its shape.' },
  secret: { kind: 'integer', hidden: true, about: 'What no client may know.' },
} as const satisfies Fields

const pet = {
  id: 'a"b',
  bornAt: 0,
  tags: ['x'],
  isTame: false,
  size: 'big',
  shape: '{"2":1.0,"1":2}',
  secret: 7,
} as const

test('a body may set the fields that allow it, in the order of the response', (t) => {
  t.deepEqual<string[], string[]>(namesIn(petFields, 'create'), ['bornAt', 'tags'])
  t.deepEqual<string[], string[]>(namesIn(petFields, 'update'), ['tags', 'isTame'])
  t.deepEqual<string[], string[]>(namesIn(petFields, 'sync'), ['tags'])
  t.deepEqual<string[], string[]>(namesOfKind(petFields, 'flag'), ['isTame'])
})

test('initial values are the declared ones, and no two resources share their lists', (t) => {
  t.deepEqual(initialValues(petFields), { bornAt: null, tags: [], isTame: true })
  initialValues(petFields).tags.push('x')
  t.deepEqual(initialValues(petFields).tags, [])
})

test('JSON text has every field that is not hidden: times as ISO 8601, json as it was sent', (t) => {
  const text = serializer(petFields)({ ...pet, tags: ['x'] })
  t.is(
    text,
    '{"id":"a\\"b","bornAt":"1970-01-01T00:00:00.000Z","tags":["x"],"isTame":false,"size":"big","shape":{"2":1.0,"1":2}}',
  )
  const empty = serializer(petFields)({ ...pet, tags: [], bornAt: null, size: null, shape: null })
  t.like(JSON.parse(empty), { bornAt: null, tags: [], size: null, shape: null })
})

test('a response without json fields is the same as a value', (t) => {
  const { shape: _shape, ...fields } = petFields
  const { shape: _text, ...values } = pet
  const resource = { ...values, tags: ['x'] }
  t.deepEqual(answer(fields)(resource), JSON.parse(serializer(fields)(resource)))
  // @ts-expect-error: the text of a json field would be answered as a string
  t.is(typeof answer(petFields), 'function')
})

test('the schema of a response names every visible field, and null only where it is possible', (t) => {
  const { properties, ...rest } = answerSchema(petFields)
  t.deepEqual(rest, {
    type: 'object',
    required: ['id', 'bornAt', 'tags', 'isTame', 'size', 'shape'],
    additionalProperties: false,
  })
  const types = Object.entries(properties as Record<string, Record<string, unknown>>).map(([name, schema]) => [
    name,
    schema.type ?? schema.enum,
  ])
  t.deepEqual(Object.fromEntries(types), {
    id: 'string',
    bornAt: ['string', 'null'],
    tags: 'array',
    isTame: 'boolean',
    size: ['small', 'big', null],
    shape: ['object', 'null'],
  })
})

test('the schema of a response does not limit entries: a list of a scope has the tag of the scope in addition to the maximum of its own', (t) => {
  const { properties } = answerSchema(petFields)
  t.false('maxItems' in (properties as { tags: object }).tags)
})
