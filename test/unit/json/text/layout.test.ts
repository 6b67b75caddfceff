import test from 'ava'
import { compact, layOut, offsetBeforeCompact } from '#shared/json/text/layout.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

const rounds = 500

test('text that is laid out and compacted again is unchanged, byte for byte', (t) => {
  const random = seeded(1)
  for (let round = 0; round < rounds; round++) {
    const { written, compact: expected } = randomJson(random)
    t.is(compact(written), expected)
    t.is(compact(layOut(expected)), expected)
    t.is(layOut(written), layOut(expected))
  }
})

test('each character of a compact text is found in its source text', (t) => {
  const random = seeded(3)
  for (let round = 0; round < rounds / 5; round++) {
    const { written, compact: compacted } = randomJson(random)
    const found = Array.from({ length: compacted.length }, (_, n) => written[offsetBeforeCompact(written, n)])
    t.is(found.join(''), compacted)
    t.is(offsetBeforeCompact(written, compacted.length), written.length)
  }
  t.is(offsetBeforeCompact(' { "a b" : 1 }', 4), 6)
})

test('laid out text has the same value', (t) => {
  const random = seeded(2)
  for (let round = 0; round < rounds; round++) {
    const text = randomJson(random).compact
    t.deepEqual(JSON.parse(layOut(text)), JSON.parse(text))
  }
})

test('numbers, escapes and the order of keys stay unchanged', (t) => {
  t.is(layOut('{"10":9007199254740993,"2":1e400,"a":1.0,"\\u0062":"\\/"}'), laidOut)
})
const laidOut = `{
  "10": 9007199254740993,
  "2": 1e400,
  "a": 1.0,
  "\\u0062": "\\/"
}`

test('an object or array of scalars stays on its line if it fits, but the whole value never does', (t) => {
  t.is(layOut('{"tags":["a","b"],"of":{"x":1,"y":[],"z":{}},"no":[[1]]}'), inLines)
  t.is(layOut('[1,{}]'), '[\n  1,\n  {}\n]')
  const long = JSON.stringify({ words: Array.from({ length: 20 }, (_, n) => `word ${n}`) })
  t.is(layOut(long).split('\n').length, 24)
  const wide = JSON.stringify({ words: ['x'.repeat(30), 'y'.repeat(30)], ['k'.repeat(30)]: ['x'.repeat(30), 'y'] })
  for (const line of layOut(wide).split('\n')) t.true(line.length <= 82, line)
})
const inLines = `{
  "tags": ["a", "b"],
  "of": { "x": 1, "y": [], "z": {} },
  "no": [
    [1]
  ]
}`

test('a lone scalar and empty values stay unchanged', (t) => {
  for (const text of ['null', '1e400', '""', '{}', '[]']) {
    t.is(layOut(text), text)
    t.is(compact(` ${text}\n`), text)
  }
})

test('laying out a mebibyte of any shape adds only a few times its length', (t) => {
  const shapes = ['['.repeat(199) + '1,'.repeat(500_000).slice(0, -1) + ']'.repeat(199), `"${'\\"'.repeat(500_000)}"`]
  for (const text of shapes) t.true(compact(layOut(text)) === text)
})
