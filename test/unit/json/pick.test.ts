import test from 'ava'
import { pickFrom } from '#shared/json/pick.ts'
import { pointerTree } from '#shared/json/pointer-tree.ts'

const text = '{"b":{"x":1.0,"y":[1e400,{"z":null},"\\u0061"]},"10":0,"2":9007199254740993,"":5,"a/b":6,"a\\u0063":7}'

const cases: [pointers: string[], expected: string][] = [
  [['/b/x'], '{"b":{"x":1.0}}'],
  [['/2', '/10'], '{"10":0,"2":9007199254740993}'],
  [['/b/y/2'], '{"b":{"y":[null,null,"\\u0061"]}}'],
  [['/b/y/0'], '{"b":{"y":[1e400]}}'],
  [['/b/y/1/z', '/b/y/0'], '{"b":{"y":[1e400,{"z":null}]}}'],
  [['/b', '/b/x'], `${text.slice(0, 46)}}`],
  [['/b/x', '/b'], `${text.slice(0, 46)}}`],
  [['/'], '{"":5}'],
  [['/a~1b'], '{"a/b":6}'],
  [['/ac'], '{"a\\u0063":7}'],
  [['/nothing'], '{}'],
  [['/b/nothing'], '{}'],
  [['/b/x/0', '/10/a', '/b/y/3', '/b/y/00', '/b/y/-'], '{}'],
]
for (const [pointers, expected] of cases)
  test(`picks ${pointers}`, (t) => t.is(pickFrom(text, pointerTree(pointers)), expected))

test('from an array or any other value only the picked parts are left, too', (t) => {
  t.is(pickFrom('[1,[2,3]]', pointerTree(['/1/0'])), '[null,[2]]')
  t.is(pickFrom('[1,[2,3]]', pointerTree(['/a'])), '[]')
  for (const scalar of ['null', '"text"', '-1', 'true']) t.is(pickFrom(scalar, pointerTree(['/a', '/0'])), 'null')
})
