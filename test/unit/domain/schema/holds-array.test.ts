import test from 'ava'
import { holdsArray } from '#shared/domain/schema/holds-array.ts'

const list = { type: 'array', items: { type: 'string' } }
const tags = (schema: unknown) => ({ type: 'object', properties: { tags: schema } })

const cases: [schema: unknown, pointer: string, holds: boolean][] = [
  [tags(list), '/tags', true],
  [tags({ type: ['array', 'null'] }), '/tags', true],
  [tags({ type: 'string' }), '/tags', false],
  [tags(list), '/tags/0', false],
  [tags({ type: 'array', items: [{ type: 'string' }, list] }), '/tags/1', true],
  [list, '', true],
  [tags({ anyOf: [{ type: 'string' }, list] }), '/tags', true],
  [{ allOf: [{}, tags(list)] }, '/tags', true],
  [{ ...tags({ $ref: '#/definitions/a~1b%20c' }), definitions: { 'a/b c': list } }, '/tags', true],
  [tags({ $ref: '#/properties/tags' }), '/tags', false],
  [{ anyOf: [{ $ref: '#' }, { $ref: '#' }] }, '/tags/a/b', false],
  [tags({ $ref: '#/%' }), '/tags', false],
  [tags({ $ref: 'http://elsewhere/' }), '/tags', false],
  [tags(list), '/other', false],
  [tags(list), '/__proto__', false],
  [tags(list), 'tags', false],
  [null, '/tags', false],
  [true, '/tags', false],
]

for (const [schema, pointer, holds] of cases) {
  test(`${JSON.stringify(schema)} ${holds ? 'has' : 'has no'} array at "${pointer}"`, (t) => {
    t.is(holdsArray(schema, pointer), holds)
  })
}
