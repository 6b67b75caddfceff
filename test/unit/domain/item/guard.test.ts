import test from 'ava'
import { hiddenError, isGuarded, preservePointers, removePointers, visibleErrors } from '#shared/domain/item/guard.ts'
import { naive, pointersOf } from '../../../support/load/naive-json.ts'
import { pick, randomJson, seeded } from '../../../support/load/random-json.ts'

const cuts: [claim: string, text: string, pointers: string[], expected: string][] = [
  ['without guards the text stays', '{"a":1}', [], '{"a":1}'],
  ['a member is removed with its key', '{"a":1,"secret":2,"b":3}', ['/secret'], '{"a":1,"b":3}'],
  ['the first member is removed', '{"secret":2,"b":3}', ['/secret'], '{"b":3}'],
  ['the last member is removed', '{"a":1,"secret":2}', ['/secret'], '{"a":1}'],
  ['the only member is removed', '{"secret":2}', ['/secret'], '{}'],
  ['everything below the value is removed', '{"s":{"x":[1,{"y":"}"}]},"b":1}', ['/s'], '{"b":1}'],
  ['a nested member is removed', '{"a":{"s":1,"t":{"u":2}},"s":3}', ['/a/s', '/a/t/u'], '{"a":{"t":{}},"s":3}'],
  ['an element becomes null, so positions keep their meaning', '[1,{"s":2},3]', ['/0', '/1/s'], '[null,{},3]'],
  ['a guarded root leaves null', '{"a":1}', [''], 'null'],
  ['a key written with escapes is the same key', '{"\\u0073ecret":1,"b":2}', ['/secret'], '{"b":2}'],
  ['a quote or backslash in a key does not end it', '{"\\"":1,"\\\\":2,"s":3}', ['/s'], '{"\\"":1,"\\\\":2}'],
  ['escaped steps of the pointer are read', '{"a/b":1,"m~n":2,"~1":3}', ['/a~1b', '/m~0n', '/~01'], '{}'],
  [
    'numbers and order stay as they were sent',
    '{"10":1e400,"2":12345678901234567890,"s":0}',
    ['/s'],
    '{"10":1e400,"2":12345678901234567890}',
  ],
  ['__proto__ is a key like any other', '{"__proto__":{"s":1},"a":1}', ['/__proto__/s'], '{"__proto__":{},"a":1}'],
  ['a position with a leading zero names nothing', '[1]', ['/00'], '[1]'],
  ['a step into a scalar names nothing', '{"a":"/s","s":1}', ['/a/s'], '{"a":"/s","s":1}'],
  ['a guarded value inside a guarded value is removed with it', '{"a":{"b":1},"c":1}', ['/a/b', '/a'], '{"c":1}'],
  ['the empty key can be guarded', '{"":1,"a":2}', ['/'], '{"a":2}'],
  ['a scalar stays', '"secret"', ['/secret'], '"secret"'],
  ['empty containers stay', '{"a":[],"b":{}}', ['/a/0', '/b/s'], '{"a":[],"b":{}}'],
]

for (const [claim, text, pointers, expected] of cuts) {
  test(`removing guarded values: ${claim}`, (t) => t.is(removePointers(text, pointers), expected))
}

const keeps: [claim: string, before: string, after: string, pointers: string[], expected: string][] = [
  ['without guards the new value is used unchanged', '{"s":1}', '{"a":2}', [], '{"a":2}'],
  ['an omitted value is kept', '{"s":1}', '{}', ['/s'], '{"s":1}'],
  ['it is put after its old neighbor', '{"a":1,"s":2,"b":3}', '{"b":4,"a":5}', ['/s'], '{"b":4,"a":5,"s":2}'],
  ['it is put first if it was first', '{"s":2,"b":3}', '{"b":4}', ['/s'], '{"s":2,"b":4}'],
  [
    'several are put in their old order',
    '{"s":1,"t":2,"b":3,"u":4}',
    '{"b":0}',
    ['/u', '/t', '/s'],
    '{"s":1,"t":2,"b":0,"u":4}',
  ],
  ['a value that is sent wins', '{"s":1}', '{"s":null}', ['/s'], '{"s":null}'],
  ['it is removed with its parent object', '{"a":{"s":1}}', '{"b":1}', ['/a/s'], '{"b":1}'],
  ['it is removed when its parent is no longer an object', '{"a":{"s":1}}', '{"a":[]}', ['/a/s'], '{"a":[]}'],
  ['it is put back into a nested parent', '{"a":{"s":1,"x":0}}', '{"a":{}}', ['/a/s'], '{"a":{"s":1}}'],
  [
    'it is put back into an object of an array',
    '[{"s":1},{"s":2}]',
    '[{"x":0},{"s":3}]',
    ['/0/s', '/1/s'],
    '[{"s":1,"x":0},{"s":3}]',
  ],
  ['an element of an array is not put back', '{"a":[1,2]}', '{"a":[]}', ['/a/0'], '{"a":[]}'],
  ['an element is put back where null is sent for it', '{"a":[1,2]}', '{"a":[null,3]}', ['/a/0'], '{"a":[1,3]}'],
  ['an element that is sent wins', '[1,2]', '[3,4]', ['/0'], '[3,4]'],
  ['only guarded values are kept', '{"a":1,"s":2}', '{}', ['/s'], '{"s":2}'],
  ['a guarded root is never kept', '{"a":1}', '{}', [''], '{}'],
  ['a scalar replaces everything', '{"s":1}', '7', ['/s'], '7'],
  ['there was no value to keep', '{}', '{"a":1}', ['/s'], '{"a":1}'],
]

for (const [claim, before, after, pointers, expected] of keeps) {
  test(`keeping guarded values: ${claim}`, (t) => t.is(preservePointers(before, after, pointers), expected))
}

test('data that is read without the guarded values and written back is unchanged, byte for byte', (t) => {
  const before = '{"x":{"s":1e2,"t":"\\u00e9","a":[{"s":[],"n":1.0},2,{}]},"s":{"deep":{}},"y":"","z":{"q":{"s":true}}}'
  const guards = ['/x/s', '/x/a/0/s', '/x/a/1', '/s', '/z/q/s', '/nothing/here']
  t.is(preservePointers(before, removePointers(before, guards), guards), before)
})

test('this also holds for random data and guards, except for a guard of the whole data', (t) => {
  const random = seeded(7)
  for (let round = 0; round < 2_000; round++) {
    const text = randomJson(random).compact
    const [first, ...others] = pointersOf(naive(text)).filter((pointer) => pointer !== '')
    if (first === undefined) continue
    const guards = [pick(random, [first, ...others]), pick(random, [first, ...others])]
    t.is(preservePointers(text, removePointers(text, guards), guards), text, guards.join(' '))
  }
})

test('a pointer at or below a guard is guarded, one next to it is not', (t) => {
  t.true(isGuarded('/s', ['/s']))
  t.true(isGuarded('/s/x', ['/s']))
  t.true(isGuarded('/x', ['']))
  t.false(isGuarded('/secret', ['/s']))
  t.false(isGuarded('', ['/s']))
})

test('for errors at hidden values only their existence is reported', (t) => {
  const errors = ['/secret/0', '/secrets', '/secret'].map((pointer) => ({
    pointer,
    path: `data${pointer}`,
    message: 'x',
  }))
  t.deepEqual(visibleErrors(errors, ['/secret']), [errors[1], hiddenError])
  t.deepEqual(visibleErrors(errors, []), errors)
})
