import test from 'ava'
import { referencedList } from '#services/dashboard/pages/references/referenced-list.ts'

const schema = {
  definitions: { 'a host': { type: 'string', 'x-list': 'hosts' } },
  properties: {
    host: { $ref: '#/definitions/a%20host' },
    venue: { allOf: [{ properties: { place: { anyOf: [{ 'x-list': 'places' }, { type: 'null' }] } } }] },
    self: { $ref: '#' },
    wrong: { 'x-list': 7 },
    broken: { $ref: '#/definitions/%' },
  },
}

const found: [pointer: string, list: string | null][] = [
  ['/host', 'hosts'],
  ['/venue/place', 'places'],
  ['/self/self/host', 'hosts'],
  ['/wrong', null],
  ['/broken', null],
  ['/nothing/at/all', null],
  ['/constructor', null],
  ['', null],
]
for (const [pointer, list] of found) {
  test(`the texts at "${pointer}" name items of ${list}`, (t) => t.is(referencedList(schema, pointer), list))
}

test('a list without a schema refers to none', (t) => t.is(referencedList(null, '/host'), null))
