import test from 'ava'
import { readJson, readJsonText } from '#shared/domain/item/data.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { atOnce } from '#shared/time/time-slices.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { pick, randomJson, seeded } from '../../../support/load/random-json.ts'

function read(body: string | Uint8Array, options?: Parameters<typeof readJson>[1]) {
  return atOnce(readJson(typeof body === 'string' ? Buffer.from(body) : body, options))
}

/** The reason why a body is rejected, and the place. */
function rejection(body: string | Uint8Array, options?: Parameters<typeof readJson>[1]) {
  try {
    read(body, options)
  } catch (error) {
    if (error instanceof AppError && error.name === 'MALFORMED_JSON') return { ...error.details, why: error.message }
    throw error
  }
  return null
}

test('a body is parsed', (t) => {
  t.deepEqual(read(' {"a":[1,{"b":null}],"ü":"😀"}\n').value, { a: [1, { b: null }], ü: '😀' })
  for (const scalar of ['null', 'true', '"a"', '-1.5e3']) t.is(read(scalar).value, JSON.parse(scalar))
})

const texts: [claim: string, body: string, text: string | undefined][] = [
  ['numbers keep their text', '{"data":[1e400,9007199254740993,1.0,-0]}', '[1e400,9007199254740993,1.0,-0]'],
  ['keys keep their order', '{"data":{"10":1,"2":2,"a":3}}', '{"10":1,"2":2,"a":3}'],
  ['escapes keep their form', '{"data":"\\u0061\\/\\ud83d\\ude00"}', '"\\u0061\\/\\ud83d\\ude00"'],
  [
    'white space is removed, but only outside of strings',
    '{ "data" :\t{ "a b" : [ 1 ,\r\n" x " ] } }',
    '{"a b":[1," x "]}',
  ],
  ['characters beyond ASCII stay', '{"t":"ü😀","data":{"é": "😀"}}', '{"é":"😀"}'],
  ['a name written with escapes is that name', '{"d\\u0061ta":1}', '1'],
  ['only the outermost object counts', '{"a":{"data":1},"data":2,"b":[{"data":3}]}', '2'],
  ['a string that looks like a member is not a member', '{"a":"\\"data\\":1","data":2}', '2'],
  ['an absent property has no text', '{"a":"data"}', undefined],
  ['an array has no properties', '["data",1]', undefined],
  ['a scalar has no properties either', '"data"', undefined],
]

for (const [claim, body, text] of texts) {
  test(`source text: ${claim}`, (t) => t.is(read(body, { textOf: ['data'] }).text.data, text))
}

const wholes: [claim: string, body: string, text: string][] = [
  ['an object', ' { "b" : 1.50, "1" : [ 1e400 , " x " ] }\n', '{"b":1.50,"1":[1e400," x "]}'],
  ['an array', '[ 1 ,\t2 ]', '[1,2]'],
  ['a scalar', '\r\n "a\\u0061 b" ', '"a\\u0061 b"'],
  ['null is a value', ' null', 'null'],
]

for (const [claim, body, text] of wholes) {
  test(`the text of a whole body: ${claim}`, (t) => t.is(atOnce(readJsonText(Buffer.from(body))).text, text))
}

test('the text of a whole body is what was written, without its white space', (t) => {
  const random = seeded(20_261)
  for (let round = 0; round < 300; round++) {
    const { written, compact } = randomJson(random)
    t.is(atOnce(readJsonText(Buffer.from(written))).text, compact)
  }
})

test('several properties are parsed, others not', (t) => {
  t.deepEqual(read('{"a":1,"b":[ ],"c":"x"}', { textOf: ['c', 'b'] }).text, { b: '[]', c: '"x"' })
  t.deepEqual(read('{"a":1}').text, {})
})

test('__proto__ is a key like any other', (t) => {
  const { value, text } = read('{"data":{"__proto__":{"a":1}}}', { textOf: ['data'] })
  const data = (value as { data: object }).data
  t.is(Object.getPrototypeOf(data), Object.prototype)
  t.deepEqual(Object.entries(data), [['__proto__', { a: 1 }]])
  t.is(text.data, '{"__proto__":{"a":1}}')
})

const rejected: [claim: string, body: string, line: number, column: number, why: RegExp][] = [
  ['a repeated key', '{"a":1,"a":2}', 1, 8, /key is repeated/],
  ['one at any depth', '[{"b":{"a":{},\n "c":1, "a":2}}]', 2, 9, /key is repeated/],
  ['one that differs in its escapes', '{"a":1,"\\u0061":2}', 1, 8, /key is repeated/],
  ['a repeated __proto__', '{"__proto__":1,"__proto__":2}', 1, 16, /key is repeated/],
  ['one whose first value is dropped', '{"a":{"x":1},"a":{"y":1}}', 1, 14, /key is repeated/],
  ['half of a surrogate pair', '["\\ud83d"]', 1, 3, /surrogate/],
  ['the other half', '["x\\ude00\\ud83d"]', 1, 4, /surrogate/],
  ['one in a key', '{"\\uDFFF":1}', 1, 3, /surrogate/],
  ['two first halves', '["\\ud83d\\ud83d\\ude00"]', 1, 3, /surrogate/],
  ['a trailing comma', '{"a":1,}', 1, 8, /key in double quotes/],
  ['a missing comma', '[1 2]', 1, 4, /comma/],
  ['a missing colon', '{"a" 1}', 1, 6, /colon/],
  ['something after the value', '{} x', 1, 4, /end/],
  ['no value at all', ' ', 1, 2, /a value/],
  ['an empty body', '', 1, 1, /a value/],
  ['an open string', '["a', 1, 4, /not closed/],
  ['an open object', '{"a":1', 1, 7, /it ends where/],
  ['a control character in a string', '["a\nb"]', 1, 4, /control character/],
  ['an unknown escape', '["\\x41"]', 1, 3, /escape/],
  ['a number with a leading zero', '[01]', 1, 3, /comma/],
  ['a number without digits', '[-]', 1, 2, /a value/],
  ['a word of JavaScript', '[NaN]', 1, 2, /a value/],
  ['single quotes', "{'a':1}", 1, 2, /double quotes/],
  ['a comment', '[1]// x', 1, 4, /end/],
  ['white space that JSON does not know', '[1,\u00a02]', 1, 4, /a value/],
  ['a byte-order mark', '\ufeff{}', 1, 1, /byte-order mark U\+FEFF/],
  ['a byte-order mark after the beginning', '[\ufeff1]', 1, 2, /a value is expected here \(/],
]

for (const [claim, body, line, column, why] of rejected) {
  test(`rejected, with its place: ${claim}`, (t) => {
    const found = rejection(body)
    t.like(found, { line, column })
    t.regex(String(found?.why), why)
  })
}

test('keys of different objects may be the same', (t) => {
  t.is(rejection('[{"a":{"a":1}},{"a":2}]'), null)
})

test('nesting is bounded', (t) => {
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  t.is(rejection(nested(maxJsonDepth)), null)
  t.regex(String(rejection(nested(maxJsonDepth + 2))?.why), /deeper than 200 levels/)
  t.is(rejection('[[1]]', { maxDepth: 2 }), null)
  t.like(rejection('[[[1]]]', { maxDepth: 2 }), { line: 1, column: 3 })
  t.is(rejection('["[[[["]', { maxDepth: 1 }), null)
})

test('four million brackets are rejected before they are parsed', (t) => {
  t.regex(String(rejection('['.repeat(4_000_000))?.why), /deeper than 200 levels/)
})

test('a body is UTF-8', (t) => {
  const cases: [bytes: number[], offset: number][] = [
    [[0x22, 0xff, 0x22], 1],
    [[0x22, 0xc3, 0xa9, 0xc3, 0x22], 3],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], 1],
    [[0x22, 0xc0, 0x80, 0x22], 1],
    [[0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 1],
    [[0x22, 0xef, 0xbf, 0xbd, 0xe2, 0x82], 4],
  ]
  for (const [bytes, offset] of cases) t.like(rejection(Uint8Array.from(bytes)), { offset })
})

test('a body may be a part of a larger buffer', (t) => {
  const all = Uint8Array.from(Buffer.from('xx{"data":[1]}yy'))
  t.is(read(all.subarray(2, -2), { textOf: ['data'] }).text.data, '[1]')
})

test('any JSON is read: the text is the compact source, the value is the parsed one', (t) => {
  const random = seeded(1)
  for (let n = 0; n < 2_000; n++) {
    const { written, compact } = randomJson(random)
    const { value, text } = read(`{"x":[],"data":${written},"y":1}`, { textOf: ['data'] })
    t.is(text.data, compact)
    t.deepEqual((value as { data: unknown }).data, JSON.parse(compact))
  }
})

test('compact text is that of JSON.stringify, if that loses nothing', (t) => {
  const random = seeded(2)
  const same = Array.from({ length: 2_000 }, () => randomJson(random)).filter(({ compact }) => {
    return JSON.stringify(JSON.parse(compact)) === compact
  })
  atLeast(t, same.length, 501, 'texts')
  for (const { compact } of same) {
    const pretty = JSON.stringify({ data: JSON.parse(compact) }, null, 2)
    t.is(read(pretty, { textOf: ['data'] }).text.data, compact)
  }
})

test('altered JSON is read or rejected with a position, and never read if JSON.parse would reject it', (t) => {
  const random = seeded(3)
  const noise = ['{', '}', '[', ']', '"', ':', ',', '\\', ' ', '0', 'e', '-', 'u', 'd', '\n', '"a":1,'] as const
  let rejections = 0
  for (let n = 0; n < 10_000; n++) {
    const { written } = randomJson(random, 3)
    const at = Math.floor(random() * (written.length + 1))
    const body = written.slice(0, at) + pick(random, noise) + written.slice(at + Math.floor(random() * 2))
    if (rejection(body) === null) t.notThrows(() => JSON.parse(body))
    else rejections++
  }
  atLeast(t, rejections, 5_001, 'rejections')
})
