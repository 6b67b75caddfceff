import test from 'ava'
import { parse, RawJson, RawNumber, stringify } from '#client/src/json.ts'
import { randomJson, seeded } from '../../support/load/random-json.ts'

test('numbers that a double cannot hold are raw, and sent back as they came', (t) => {
  const numbers = ['9007199254740993', '-0.12345678901234567890', '1e400', '1E-400', '123456789012345678e2']
  for (const number of numbers) {
    const text = `{"n":[${number}],"s":"${number}"}`
    const { n, s } = parse(text) as { n: unknown[]; s: string }
    t.true(n[0] instanceof RawNumber)
    t.is(String(n[0]), number)
    t.is(s, number)
    t.is(stringify({ n, s }), text)
  }
})

test('numbers that a double holds are numbers', (t) => {
  const numbers = ['0', '-0', '0.1', '1.50', '9007199254740992', '1e3', '1.7976931348623157e308', '5e-324', '100e-2']
  for (const number of numbers) t.is(parse(number), Number(number), number)
})

test('-0 that a double holds keeps its sign when it is sent back', (t) => {
  for (const text of ['-0', '[-0,0,1]', '{"n":-0,"s":"-0,0","big":[9007199254740993,{"deep":-0}]}'])
    t.is(stringify(parse(text)), text)
  t.is(
    stringify({ n: -0, big: 9007199254740993n, at: new Date(0) }),
    '{"n":-0,"big":9007199254740993,"at":"1970-01-01T00:00:00.000Z"}',
  )
  t.is(stringify({ n: parse('-0.0'), raw: new RawJson('{"n":0}') }), '{"n":-0,"raw":{"n":0}}')
})

test('digits in strings and names, with escapes around them, are not numbers', (t) => {
  const text = String.raw`{"\"9007199254740993\\":"\\\" 9007199254740993","9007199254740995":9007199254740993}`
  t.is(stringify(parse(text)), text)
  const names = Object.keys(parse(text) as object)
  t.deepEqual(names, ['"9007199254740993\\', '9007199254740995'])
})

/** The numbers from `randomJson` that a double cannot represent. */
const rawNumbersOf = (text: string) => text.match(/9007199254740993|-?1e400|0\.1000000000000000055/g)?.sort() ?? []

test('any JSON comes back with the same values', (t) => {
  const random = seeded(1)
  for (let n = 0; n < 300; n++) {
    const { compact } = randomJson(random)
    const sent = stringify(parse(compact)) ?? ''
    t.deepEqual(rawNumbersOf(sent), rawNumbersOf(compact), compact)
    t.is(JSON.stringify(JSON.parse(sent)), JSON.stringify(JSON.parse(compact)))
  }
})

test('8 MiB of escapes in one string are read', (t) => {
  const text = JSON.stringify({ big: '\n'.repeat(4 * 1024 * 1024), n: 1 }).replace(':1}', ':9007199254740993}')
  t.is(stringify(parse(text))?.length, text.length)
})

test('anything that is not JSON is rejected as by JSON.parse', (t) => {
  for (const text of ['', '{', '01', '1-9007199254740993', '"', '[9007199254740993,]', 'NaN']) {
    t.throws(() => parse(text), { instanceOf: SyntaxError }, text)
  }
})

test('a raw number is created only from a JSON number', (t) => {
  for (const text of ['', 'abc', '"1"', '1,2', '0x10']) {
    t.throws(() => new RawNumber(text), { instanceOf: SyntaxError })
  }
})

test('a raw integer is a bigint in calculations, so that nothing is rounded', (t) => {
  // The generated types of a list declare its numbers as `number`.
  const n = new RawNumber('9007199254740993') as unknown as number
  t.is(BigInt(n), 9007199254740993n)
  t.is((n as never) * 2n, 18014398509481986n)
  t.true(n > 9007199254740992 && n < 9007199254740994)
  t.is(`${n}`, '9007199254740993')
  for (const calculate of [() => n + 1, () => n / 2, () => +n, () => Math.max(n, 0)]) {
    t.throws(calculate, { instanceOf: TypeError })
  }
})

test('any other raw number cannot be calculated with, and the error says how to read its digits', (t) => {
  for (const text of ['0.1000000000000000055', '1e400', '-1e-400']) {
    const n = new RawNumber(text) as unknown as number
    for (const calculate of [() => n + 1, () => n > 1, () => Number(n), () => [1].at(n)]) {
      t.throws(calculate, { instanceOf: TypeError, message: `${text} would lose digits here. Use String(…) for all of them, or Number(String(…)) for the nearest double.` }) // biome-ignore format: one sentence
    }
    t.is(String(n), text)
  }
})

test('a member-by-member copy is sent as it came, and structuredClone throws', (t) => {
  const read = parse('{"a":[{"n":9007199254740993}],"m":1e400}') as { a: [{ n: object }]; m: object }
  const copies = [
    { ...read },
    Object.assign({}, read),
    { a: read.a.map((one) => ({ n: { ...one.n } })), m: { ...read.m } },
  ]
  for (const copy of copies) t.is(stringify(copy), '{"a":[{"n":9007199254740993}],"m":1e400}')
  t.throws(() => structuredClone(read), { name: 'DataCloneError' })
})

test('a bigint is sent as its number', (t) => {
  t.is(stringify({ n: [9007199254740993n, new RawNumber('1e400')] }), '{"n":[9007199254740993,1e400]}')
  const circle: Record<string, unknown> = {}
  circle.self = circle
  t.throws(() => stringify(circle), { instanceOf: TypeError })
})

test('names of built-in object properties are members like any other', (t) => {
  const text = '{"__proto__":9007199254740993,"constructor":{"__proto__":[1e400]}}'
  const read = parse(text) as object
  t.is(Object.getPrototypeOf(read), Object.prototype)
  t.is(stringify(read), text)
  t.is(stringify({ ...read }), text)
})

test('numbers are found at any depth', (t) => {
  const depth = 200_000
  let read = parse(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`)
  for (let n = 0; n < depth; n++) [read] = read as [unknown]
  t.is(String(read), '9007199254740993')
})

test('numbers with a mebibyte of digits are read, whatever the digits', (t) => {
  const zeros = '0'.repeat(1024 * 1024)
  for (const text of [`1${zeros}1`, `0.${zeros}1`, `1e${zeros}`, `${'1'.repeat(1024 * 1024)}`]) {
    t.is(stringify(parse(`[${text}]`)), text === `1e${zeros}` ? '[1]' : `[${text}]`)
  }
})

test('values that another copy of the package has read are sent as they came', async (t) => {
  // Another query in the specifier loads the module a second time.
  const other = (await import(`${import.meta.resolve('../../../client/src/json.ts')}?other`)) as { parse: typeof parse }
  const read = other.parse('{"n":9007199254740993}') as { n: object }
  t.not(read.n.constructor, RawNumber)
  t.true(read.n instanceof RawNumber)
  t.is(stringify(read), '{"n":9007199254740993}')
})

test('raw JSON is sent unchanged, at any position', (t) => {
  const random = seeded(2)
  for (let n = 0; n < 200; n++) {
    const { written } = randomJson(random)
    const raw = new RawJson(written)
    t.is(stringify(raw), written)
    t.is(
      stringify({ data: raw, more: [raw, '"', new RawNumber('1e400')] }),
      `{"data":${written},"more":[${written},"\\"",1e400]}`,
    )
  }
})

test('raw JSON with the characters of a replacement pattern is sent unchanged', (t) => {
  const raw = new RawJson('"$1 $& $`"')
  t.is(stringify({ raw }), '{"raw":"$1 $& $`"}')
})

test('raw JSON is created only from JSON, and other code prints its value', (t) => {
  for (const text of ['', '{', '{"a":1}}', '1,2', 'NaN']) t.throws(() => new RawJson(text), { instanceOf: SyntaxError })
  t.is(
    JSON.stringify({ raw: new RawJson('{ "a": [1e400] }'), n: new RawJson(' 1e400 ') }),
    '{"raw":{"a":[1e400]},"n":1e400}',
  )
})
