import test from 'ava'
import { Measures } from '#shared/domain/expression/bounds.ts'
import type { Value } from '#shared/domain/expression/value.ts'
import { parseExact } from '#shared/json/exact.ts'

const ofBytes = (value: Value) => Buffer.byteLength(JSON.stringify(value))

test('the size of a value is that of its JSON in UTF-8', (t) => {
  const values = [
    ...[
      'null',
      'true',
      'false',
      '0',
      '9',
      '10',
      '-1',
      '1.5',
      '1e21',
      '9007199254740993',
      '[]',
      '{}',
      '[[],{}]',
      '[1,[2,3]]',
    ],
    ...['{"a":1,"b":{"c":[null,""]}}', '"a\\u0000\\n\\"\\\\é語😀"'],
  ].map((text) => parseExact(text) as Value)
  for (const value of [...values, '\ud83d', '\ude00', '\ud83dx', 'x\ud83d\ud83d\ude00', values]) {
    t.true(new Measures().isWithin(value, ofBytes(value)), JSON.stringify(value))
    t.false(new Measures().isWithin(value, ofBytes(value) - 1), JSON.stringify(value))
  }
})

test('a long value is read once, even if it occurs in another value', (t) => {
  const measures = new Measures()
  const long = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'x'.repeat(56) }))
  t.is(measures.excessOf(long), null)
  const { work } = measures
  t.true(work > 1_000)
  for (const value of [long, [long], { a: [long, long] }]) {
    t.is(measures.excessOf(value), null)
    t.true(measures.isWithin(value, ofBytes(value)))
    t.false(measures.isWithin(value, ofBytes(value) - 1))
  }
  t.true(measures.work - work < 20)
  t.is(measures.excessOf(Array(20).fill(long)), 'is longer than 1 MiB')
})

test('a value that is too deep is rejected, whether its depth is known or not', (t) => {
  const nested = (value: Value, levels: number): Value => (levels === 0 ? value : [nested(value, levels - 1)])
  const measures = new Measures()
  for (const inner of ['x', 'x'.repeat(5_000)]) {
    const deep = nested(inner, 150)
    for (const _ of ['first', 'again']) {
      t.is(measures.excessOf(nested(deep, 50)), null)
      t.is(measures.excessOf(nested(deep, 51)), 'nests deeper than 200 levels')
    }
  }
})

test('reading stops once a value is known to be too long', (t) => {
  const measures = new Measures()
  t.false(measures.isWithin(Array(100_000).fill({}), 4_096))
  t.false(measures.isWithin('x'.repeat(1_000_000), 4_096))
  t.true(measures.work <= 2 * 64)
})
