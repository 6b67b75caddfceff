import test from 'ava'
import { addElement, moveElement, numberText, putAt } from '#services/dashboard/pages/item/form/rules/edits.ts'
import { findAt, removeAt } from '#shared/json/edit/at-pointer.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import { childPointer } from '#shared/json/pointer.ts'
import { pick, randomJson, seeded } from '../../../../../../support/load/random-json.ts'

test('an added member is at the position that the schema gives it', (t) => {
  const order = ['a', 'b', 'c', 'd']
  t.is(putAt('{"a":1,"c":3}', '/b', '2', order), '{"a":1,"b":2,"c":3}')
  t.is(putAt('{"c":3,"x":0}', '/d', '4', order), '{"c":3,"d":4,"x":0}')
  t.is(putAt('{"x":0,"c":3}', '/a', '1', order), '{"x":0,"a":1,"c":3}')
  t.is(putAt('{"x":0}', '/a', '1', order), '{"x":0,"a":1}')
  t.is(putAt('{"a":1}', '/y', '9', order), '{"a":1,"y":9}')
})

test('a value that is cleared and typed again returns to its position', (t) => {
  const text = '{"a":1,"b":"x","c":1.0}'
  t.is(putAt(removeAt(text, '/b'), '/b', '"x"', ['a', 'b', 'c']), text)
})

test('an existing value is replaced in its position, in objects, arrays and as the whole', (t) => {
  t.is(putAt('{"b":1.0,"\\u0061":2}', '/a', '3', ['a', 'b']), '{"b":1.0,"\\u0061":3}')
  t.is(putAt('{"l":[1e400,2]}', '/l/1', '7'), '{"l":[1e400,7]}')
  t.is(putAt('[1]', '', '{}'), '{}')
})

test('elements are added after the others, and moved', (t) => {
  t.is(addElement('{"l":[1.0]}', '/l', '"x"'), '{"l":[1.0,"x"]}')
  t.is(moveElement('[1e400,2,{"a":1.0}]', '', 2, 0), '[{"a":1.0},1e400,2]')
})

test('a number keeps the typed digits, and anything that is not a number becomes a text', (t) => {
  t.is(numberText(' 9007199254740993 '), '9007199254740993')
  t.is(numberText('1.50'), '1.50')
  for (const typed of ['1.', '01', 'abc', '0x1', '']) t.is(numberText(typed), JSON.stringify(typed))
})

/** All places of a text, each with its value. */
function placesOf(edit: JsonEdit, pointer = ''): [pointer: string, text: string][] {
  const own: [string, string] = [pointer, edit.print()]
  if (edit.kind === 'scalar') return [own]
  const children: [string | number, JsonEdit][] =
    edit.kind === 'array'
      ? edit.elements.map((element, n) => [n, element])
      : [...edit.members].map(([key, { value }]) => [key, value])
  return [own, ...children.flatMap(([key, child]) => placesOf(child, childPointer(pointer, key)))]
}

const isAbove = (one: string, other: string) => other === one || other.startsWith(`${one}/`)

test('an edit in the form keeps every other byte', (t) => {
  const random = seeded(2_026)
  for (let round = 0; round < 500; round++) {
    const text = `{"data":${randomJson(random).compact}}`
    const places = placesOf(new JsonEdit(text))
    const [pointer] = pick(random, places as [(typeof places)[0]])
    const order = ['b', 'a', '10', 'new']
    const kind = findAt(text, pointer)?.[0]
    const at = kind === '{' && random() < 0.5 ? childPointer(pointer, 'new') : pointer
    const changed = putAt(text, at, '[1e400]', order)
    t.is(findAt(changed, at), '[1e400]')
    for (const [other, value] of places) {
      if (!isAbove(other, at) && !isAbove(at, other)) t.is(findAt(changed, other), value, `${text} at ${other}`)
    }
    // Undoing the edit restores the exact text.
    const before = findAt(text, at)
    t.is(before === null ? removeAt(changed, at) : putAt(changed, at, before, order), text)
  }
})
