import test from 'ava'
import { applyPatch, PatchFailed, type PatchOperation, PatchTooLong } from '#shared/json/edit/patch.ts'

const patch = (text: string, ...operations: PatchOperation[]) => applyPatch(text, operations, { maxLength: 1_000 })

const good: [claim: string, text: string, operations: PatchOperation[], expected: string][] = [
  ['a member is added at the end', '{"b":1.0}', [{ op: 'add', path: '/a', value: '2' }], '{"b":1.0,"a":2}'],
  [
    'an existing member is replaced in its place',
    '{"b":1,"a":2}',
    [{ op: 'add', path: '/b', value: '3' }],
    '{"b":3,"a":2}',
  ],
  ['an element is put before another', '[1,3]', [{ op: 'add', path: '/1', value: '2' }], '[1,2,3]'],
  ['an element is put at the end by its position', '[1]', [{ op: 'add', path: '/1', value: '2' }], '[1,2]'],
  ['an element is put at the end by -', '[1]', [{ op: 'add', path: '/-', value: '2' }], '[1,2]'],
  ['the whole value is replaced', '{"a":1}', [{ op: 'add', path: '', value: '[]' }], '[]'],
  ['a member is removed', '{"a":1,"b":2}', [{ op: 'remove', path: '/a' }], '{"b":2}'],
  ['an element is removed', '[1,2,3]', [{ op: 'remove', path: '/1' }], '[1,3]'],
  [
    'a member is replaced in its place',
    '{"b":1,"a":2}',
    [{ op: 'replace', path: '/b', value: '{"x":1}' }],
    '{"b":{"x":1},"a":2}',
  ],
  ['an element is replaced', '[1,2]', [{ op: 'replace', path: '/0', value: '9' }], '[9,2]'],
  [
    'a value is moved',
    '{"a":{"x":1e400},"b":{}}',
    [{ op: 'move', from: '/a/x', path: '/b/y' }],
    '{"a":{},"b":{"y":1e400}}',
  ],
  ['a value is moved to where it is', '{"a":1}', [{ op: 'move', from: '/a', path: '/a' }], '{"a":1}'],
  [
    'a copy does not change with its original',
    '{"a":{"x":1}}',
    [
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'replace', path: '/b/x', value: '2' },
    ],
    '{"a":{"x":1},"b":{"x":2}}',
  ],
  ['the whole value is copied into itself', '{"a":1}', [{ op: 'copy', from: '', path: '/b' }], '{"a":1,"b":{"a":1}}'],
  [
    'numbers are equal by their decimal value',
    '{"a":1.50e2}',
    [{ op: 'test', path: '/a', value: '150' }],
    '{"a":1.50e2}',
  ],
  [
    'objects are equal in any order',
    '{"a":{"x":1,"y":[2]}}',
    [{ op: 'test', path: '/a', value: '{"y":[2],"x":1}' }],
    '{"a":{"x":1,"y":[2]}}',
  ],
  [
    'texts are equal however they are spelled',
    '{"a":"\\u0061"}',
    [{ op: 'test', path: '/a', value: '"a"' }],
    '{"a":"\\u0061"}',
  ],
  [
    'escaped tokens name keys',
    '{"a/b":1,"m~n":2}',
    [
      { op: 'remove', path: '/a~1b' },
      { op: 'remove', path: '/m~0n' },
    ],
    '{}',
  ],
  ['the key may be empty', '{"":1}', [{ op: 'replace', path: '/', value: '2' }], '{"":2}'],
  ['__proto__ is a key like others', '{}', [{ op: 'add', path: '/__proto__', value: '{}' }], '{"__proto__":{}}'],
  [
    'values that are not changed keep their spelling',
    '{"\\u0062":1.10,"2":0,"1":[1E5],"x":{}}',
    [{ op: 'add', path: '/x/y', value: '-0' }],
    '{"\\u0062":1.10,"2":0,"1":[1E5],"x":{"y":-0}}',
  ],
]
for (const [claim, text, operations, expected] of good) {
  test(claim, (t) => t.is(patch(text, ...operations), expected))
}

const bad: [claim: string, text: string, operations: PatchOperation[], failed: number, reason: RegExp][] = [
  ['a missing value cannot be removed', '{}', [{ op: 'remove', path: '/a' }], 0, /nothing at "\/a"/],
  ['a missing value cannot be replaced', '[]', [{ op: 'replace', path: '/0', value: '1' }], 0, /nothing at/],
  [
    'a position after the end is rejected',
    '[]',
    [{ op: 'add', path: '/1', value: '1' }],
    0,
    /not a position in an array/,
  ],
  ['a position with a leading zero is rejected', '[1,2]', [{ op: 'remove', path: '/01' }], 0, /nothing at/],
  ['- names no element', '[1]', [{ op: 'remove', path: '/-' }], 0, /nothing at/],
  ['a parent is not created', '{}', [{ op: 'add', path: '/a/b', value: '1' }], 0, /is not in an object or array/],
  [
    'a value cannot be added to a scalar',
    '{"a":1}',
    [{ op: 'add', path: '/a/b', value: '1' }],
    0,
    /is not in an object or array/,
  ],
  ['a value cannot be moved into itself', '{"a":{}}', [{ op: 'move', from: '/a', path: '/a/b' }], 0, /into itself/],
  ['the whole value cannot be removed', '{}', [{ op: 'remove', path: '' }], 0, /is not in an object or array/],
  ['a text does not equal a number', '{"a":1}', [{ op: 'test', path: '/a', value: '"1"' }], 0, /another value/],
  [
    'numbers beyond doubles are distinguished',
    '{"a":1e400}',
    [{ op: 'test', path: '/a', value: '1e401' }],
    0,
    /another value/,
  ],
  ['a path that is not a pointer is rejected', '{}', [{ op: 'add', path: 'a', value: '1' }], 0, /not a JSON Pointer/],
  [
    'the operation that failed is named',
    '{"a":1}',
    [
      { op: 'remove', path: '/a' },
      { op: 'remove', path: '/a' },
    ],
    1,
    /nothing/,
  ],
]
for (const [claim, text, operations, failed, reason] of bad) {
  test(claim, (t) => {
    const error = t.throws(() => patch(text, ...operations), { instanceOf: PatchFailed, message: reason })
    t.is(error?.operation, failed)
  })
}

test('a value that doubles with each copy is stopped as soon as it is too long', (t) => {
  const doubling = Array.from({ length: 1_000 }, (_, n): PatchOperation => ({ op: 'copy', from: '', path: `/${n}` }))
  const error = t.throws(() => applyPatch('{"a":"0123456789"}', doubling, { maxLength: 1_000_000 }), {
    instanceOf: PatchTooLong,
  })
  t.true((error?.operation ?? 0) < 20)
})

test('a patch is limited by the length of the text', (t) => {
  for (const [, text, operations, expected] of good) {
    t.notThrows(() => applyPatch(text, operations, { maxLength: Math.max(text.length, expected.length) + 8 }))
  }
})

test('repeated replacements of a member do not add up', (t) => {
  const replacing = Array.from({ length: 100 }, (_, n): PatchOperation => ({ op: 'add', path: '/a', value: `"${n}"` }))
  t.is(applyPatch('{"a":1}', replacing, { maxLength: 20 }), '{"a":"99"}')
})

test('a patch that repeatedly copies a long value is stopped', (t) => {
  const long = `[${'1,'.repeat(1_000)}1]`
  const copies = Array.from({ length: 1_000 }, (): PatchOperation => ({ op: 'copy', from: '/a', path: '/b' }))
  const error = t.throws(() => applyPatch(`{"a":${long}}`, copies, { maxLength: 10_000 }), { instanceOf: PatchFailed })
  t.true((error?.operation ?? 0) < 50)
})

test('a long value can be moved, and a long number compared, repeatedly', (t) => {
  const long = `[${'1,'.repeat(200_000)}1]`
  const number = `1${'0'.repeat(200_000)}1`
  const operations = Array.from({ length: 100 }, (_, n): PatchOperation[] => [
    { op: 'test', path: '/n', value: `${number}.0` },
    n % 2 ? { op: 'move', from: '/b', path: '/a' } : { op: 'move', from: '/a', path: '/b' },
  ])
  const text = `{"n":${number},"a":${long}}`
  t.is(applyPatch(text, operations.flat(), { maxLength: 1_000_000 }), text)
})

test('operations that nest values too deeply to be printed fail like any other', (t) => {
  const nested = (path: string): PatchOperation => ({
    op: 'add',
    path,
    value: `${'{"":'.repeat(190)}{}${'}'.repeat(190)}`,
  })
  const wrapping = Array.from({ length: 499 }, (_, n): PatchOperation[] => {
    const [inner, outer] = n % 2 ? ['/a', '/b'] : ['/b', '/a']
    return [nested(outer), { op: 'move', from: inner, path: `${outer}${'/'.repeat(190)}` }]
  })
  const operations = [nested('/b'), ...wrapping.flat()]
  const error = t.throws(() => applyPatch('{}', operations, { maxLength: 1_000_000 }), { instanceOf: PatchFailed })
  t.is(error?.message, 'the value is nested too deeply')
})

test('a number with an enormous exponent equals only its own text, and zero is zero', (t) => {
  const digits = '9'.repeat(400_000)
  const text = `{"a":1e${digits},"b":0e-${digits}}`
  const equals = (path: string, value: string) => () =>
    applyPatch(text, [{ op: 'test', path, value }], { maxLength: 1_000_000 })
  t.notThrows(equals('/a', `1e${digits}`))
  t.throws(equals('/a', `1e${digits}9`), { instanceOf: PatchFailed })
  t.throws(equals('/a', `10e${digits.slice(1)}8`), { instanceOf: PatchFailed })
  t.notThrows(equals('/b', '-0.0'))
})
