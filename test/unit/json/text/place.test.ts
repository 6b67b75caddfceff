import test from 'ava'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { placesOf, pointerAt } from '#shared/json/text/place.ts'
import { naive, pointersOf } from '../../../support/load/naive-json.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

test('every pointer of a text finds the position of its value, in any layout', (t) => {
  const random = seeded(7)
  for (let round = 0; round < 300; round++) {
    const { written, compact: text } = randomJson(random)
    const pointers = pointersOf(naive(text))
    for (const laid of [written, text, layOut(text)]) {
      const places = placesOf(laid, pointers)
      for (const pointer of pointers) {
        const { from, to } = places.get(pointer) ?? { from: 0, to: 0 }
        t.is(compact(laid.slice(from, to)), findAt(text, pointer) ?? '', `${laid}: ${pointer}`)
        t.is(pointerAt(laid, from), pointer)
      }
    }
  }
})

test('an error at a missing value is at the beginning of its parent', (t) => {
  const text = '{ "a": [1, {}] }'
  const places = placesOf(text, ['/b', '/a/7', '/a/1/x/y', '/a/0/z', ''])
  t.deepEqual(places.get('/b'), { from: 0, to: 1 })
  t.deepEqual(places.get('/a/7'), { from: 7, to: 8 })
  t.deepEqual(places.get('/a/1/x/y'), { from: 11, to: 12 })
  t.deepEqual(places.get('/a/0/z'), { from: 8, to: 9 })
  t.deepEqual(places.get(''), { from: 0, to: text.length })
})

const cursors: [text: string, pointer: string][] = [
  ['|', ''],
  ['{ |', ''],
  ['{ "a|b": 1 }', '/ab'],
  ['{ "ab"|: 1 }', '/ab'],
  ['{ "ab": |', '/ab'],
  ['{ "ab": 1|', '/ab'],
  ['{ "ab": 1, |', ''],
  ['{ "a/b": { "c~": [1, 2, |', '/a~1b/c~0/2'],
  ['{ "a": [1, 2] |', '/a'],
  ['{ "a": "x, y|', '/a'],
  ['{ "not closed|', '/not closed'],
  ['[[], [0|', '/1/0'],
  ['}}]|', ''],
]
for (const [text, pointer] of cursors) {
  test(`the cursor in ${text} is at "${pointer}"`, (t) =>
    t.is(pointerAt(text.replace('|', ''), text.indexOf('|')), pointer))
}
