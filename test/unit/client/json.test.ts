import test from 'ava'
import { parseLossless, RawJson, RawNumber, stringify } from '#client/src/json.ts'
import { randomJson, seeded } from '../../support/load/random-json.ts'

test('numbers that a double cannot hold are raw, and sent back as they came', (t) => {
  const numbers = ['9007199254740993', '-0.12345678901234567890', '1e400', '1E-400', '123456789012345678e2']
  for (const number of numbers) {
    const text = `{"n":[${number}],"s":"${number}"}`
    const { n, s } = parseLossless(text) as { n: unknown[]; s: string }
    t.true(n[0] instanceof RawNumber)
    t.is(String(n[0]), number)
    t.is(s, number)
    t.is(stringify({ n, s }), text)
  }
})

test('numbers that a double holds are numbers', (t) => {
  const numbers = ['0', '-0', '0.1', '1.50', '9007199254740992', '1e3', '1.7976931348623157e308', '5e-324', '100e-2']
  for (const number of numbers) t.is(parseLossless(number), Number(number), number)
})

test('digits in strings and names, with escapes around them, are no numbers', (t) => {
  const text = String.raw`{"\"9007199254740993\\":"\\\" 9007199254740993","9007199254740995":9007199254740993}`
  t.is(stringify(parseLossless(text)), text)
  const names = Object.keys(parseLossless(text) as object)
  t.deepEqual(names, ['"9007199254740993\\', '9007199254740995'])
})

/** The numbers that `randomJson` makes and a double cannot hold. */
const rawNumbersOf = (text: string) => text.match(/9007199254740993|-?1e400|0\.1000000000000000055/g)?.sort() ?? []

test('any JSON comes back with the same values', (t) => {
  const random = seeded(1)
  for (let n = 0; n < 300; n++) {
    const { compact } = randomJson(random)
    const sent = stringify(parseLossless(compact)) ?? ''
    t.deepEqual(rawNumbersOf(sent), rawNumbersOf(compact), compact)
    t.is(JSON.stringify(JSON.parse(sent)), JSON.stringify(JSON.parse(compact)))
  }
})

test('8 MiB of escapes in one string are read', (t) => {
  const text = JSON.stringify({ big: '\n'.repeat(4 * 1024 * 1024), n: 1 }).replace(':1}', ':9007199254740993}')
  t.is(stringify(parseLossless(text))?.length, text.length)
})

test('what is no JSON is rejected as by JSON.parse', (t) => {
  for (const text of ['', '{', '01', '1-9007199254740993', '"', '[9007199254740993,]', 'NaN']) {
    t.throws(() => parseLossless(text), { instanceOf: SyntaxError }, text)
  }
})

test('a raw number is made of a number of JSON only, and is the nearest double where it is calculated with', (t) => {
  for (const text of ['', 'abc', '"1"', '1,2', '0x10']) {
    t.throws(() => new RawNumber(text), { instanceOf: SyntaxError })
  }
  t.is(Number(new RawNumber('1e2')) + 1, 101)
})

test('raw JSON is sent as it is, wherever it stands', (t) => {
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

test('raw JSON with the characters of a replacement is sent as it is', (t) => {
  const raw = new RawJson('"$1 $& $`"')
  t.is(stringify({ raw }), '{"raw":"$1 $& $`"}')
})

test('raw JSON is made of JSON only, and has its value where somebody else prints it', (t) => {
  for (const text of ['', '{', '{"a":1}}', '1,2', 'NaN']) t.throws(() => new RawJson(text), { instanceOf: SyntaxError })
  t.is(JSON.stringify({ raw: new RawJson('{ "a": [1e400] }') }), '{"raw":{"a":[1e400]}}')
})
