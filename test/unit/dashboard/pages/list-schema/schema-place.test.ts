import test from 'ava'
import { formats, placeOf } from '#services/dashboard/pages/list-schema/schema-place.ts'
import { schemaFormats } from '#shared/json-schema/formats/formats.ts'

const places: [pointer: string, place: ReturnType<typeof placeOf>][] = [
  ['', { is: 'schema' }],
  ['/type', { is: 'value', of: 'type' }],
  ['/type/1', { is: 'value', of: 'type' }],
  ['/properties', { is: 'other' }],
  ['/properties/type', { is: 'schema' }],
  ['/properties/type/format', { is: 'value', of: 'format' }],
  ['/items/properties/a', { is: 'schema' }],
  ['/items/0/not', { is: 'schema' }],
  ['/allOf', { is: 'other' }],
  ['/allOf/2/then', { is: 'schema' }],
  ['/default/properties/a', { is: 'value', of: 'default' }],
]
for (const [pointer, place] of places) {
  test(`"${pointer}" in a schema is ${nameOf(place)}`, (t) => {
    t.deepEqual(placeOf(pointer), place)
  })
}

function nameOf(place: ReturnType<typeof placeOf>): string {
  if ('of' in place) return `the value of ${place.of}`
  return place.is === 'schema' ? 'a schema' : 'neither a schema nor a value'
}

test('the offered formats are those that the service checks', (t) => {
  t.deepEqual([...formats].sort(), [...schemaFormats.keys()].sort())
})
