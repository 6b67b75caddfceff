import test from 'ava'
import { dataPath, parsePointer, valueAt } from '#shared/json/pointer.ts'

test('a pointer is empty, or consists of segments that each begin with a slash', (t) => {
  t.deepEqual(parsePointer(''), [])
  t.deepEqual(parsePointer('/'), [''])
  t.deepEqual(parsePointer('/a//b'), ['a', '', 'b'])
  t.deepEqual(parsePointer('/a~1b/m~0n/~01'), ['a/b', 'm~n', '~1'])
  for (const text of ['a', 'a/b', '#/a', '/~', '/~2', '/a~']) t.is(parsePointer(text), null)
})

const data = JSON.parse('{"foo":["bar","baz"],"":0,"a/b":1,"m~n":8,"o":{"p":null},"__proto__":{"x":2}}')

const values: [pointer: string, value: unknown][] = [
  ['', data],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/m~0n', 8],
  ['/o/p', null],
  ['/__proto__/x', 2],
  ['/nothing', undefined],
  ['/foo/2', undefined],
  ['/foo/00', undefined],
  ['/foo/-', undefined],
  ['/foo/length', undefined],
  ['/foo/0/length', undefined],
  ['/constructor', undefined],
  ['/o/toString', undefined],
  ['/o/p/q', undefined],
  ['foo', undefined],
]

for (const [pointer, value] of values) {
  test(`the pointer ${JSON.stringify(pointer)} finds ${JSON.stringify(value) ?? 'nothing'}`, (t) => {
    t.deepEqual(valueAt(data, pointer), value)
  })
}

test('an error names a position in the data by its path in the body', (t) => {
  t.is(dataPath(''), 'data')
  t.is(dataPath('/steps/0/text'), 'data.steps.0.text')
  t.is(dataPath('/a~1b'), 'data.a/b')
})
