import test from 'ava'
import { filterKey, numberKey, orderKey } from '#shared/domain/item/index-key.ts'
import {
  allKeyFilters,
  type KeyFilter,
  type KeySet,
  passesKeyFilter,
  readKeyFilter,
} from '#shared/domain/item/questions/key-filter.ts'
import type { ValueType } from '#shared/domain/list/index-fields.ts'

function parsed(valueType: ValueType, source: string): KeyFilter {
  const filter = readKeyFilter(valueType, source)
  if ('error' in filter) throw new Error(filter.error)
  return filter
}

function holds(keys: KeySet, key: string): boolean {
  if (keys.kind === 'any-of') return keys.keys.includes(key)
  const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
  return compare(key, keys.min) >= 0 && (keys.end === null || compare(key, keys.end) < 0)
}

test('the keys that begin with a text are a range, up to the last code point', (t) => {
  const prefixes = ['a', 'a\u{10ffff}', '\u{10ffff}', '\ud7ff', '', 'é']
  const endings = ['', 'a', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}']
  const texts = prefixes.flatMap((prefix) => [
    ...endings.map((ending) => prefix + ending),
    `b${prefix}`,
    `${prefix.slice(0, -1)}b`,
  ])
  for (const prefix of prefixes) {
    const { keys, texts: rest } = parsed('string', `starts:${prefix}`)
    t.deepEqual(rest, [])
    for (const text of texts)
      t.is(holds(keys, orderKey(text)), text.startsWith(prefix), JSON.stringify({ prefix, text }))
  }
})

test('a text that is longer than its order key is also compared with the filter key', (t) => {
  const [short, long] = ['a'.repeat(255), 'a'.repeat(256)]
  for (const prefix of ['eq:', 'starts:', 'in:b,']) {
    t.is(parsed('string', prefix + short).texts.length, 0)
    t.is(parsed('string', prefix + long).texts.length, 1)
  }
  t.is(parsed('string', 'part').texts.length, 1)
})

const numbers: [source: string, passes: (n: number) => boolean][] = [
  ['2', (n) => n === 2],
  ['eq:2e0', (n) => n === 2],
  ['+.5', (n) => n === 0.5],
  ['lt:2', (n) => n < 2],
  ['lte:2', (n) => n <= 2],
  ['gt:-1', (n) => n > -1],
  ['gte:-1', (n) => n >= -1],
  ['in:2', (n) => n === 2],
  ['in:-1,2e0,2,.5', (n) => n === -1 || n === 2 || n === 0.5],
]

for (const [source, passes] of numbers) {
  test(`the filter ${source} on numbers matches the right ones`, (t) => {
    const { keys } = parsed('number', source)
    for (const n of [-1e300, -2, -1, -5e-324, 0, 0.5, 2, 2.0000000000000004, 1e300])
      t.is(holds(keys, numberKey(n)), passes(n), `${n}`)
  })
}

test('the filter in: of dates passes any of them, in whatever form', (t) => {
  const { keys } = parsed('date', 'in:2026-03-01,2026-03-02T01:00:00+01:00,2026-03-01')
  const held = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'].map((date) => numberKey(Date.parse(date)))
  t.deepEqual(keys, { kind: 'any-of', keys: held })
})

test('two filters together match what both match', (t) => {
  const sources = ['2', '3', 'in:2,6', 'lt:2', 'lte:2', 'gt:-1', 'gte:2', 'gt:5', 'lt:-5', 'not:2', 'not:lt:2', 'null']
  for (const one of sources) {
    for (const other of sources) {
      const [left, right] = [parsed('number', one), parsed('number', other)]
      const both = allKeyFilters([left, right])
      t.true(both.filter(({ not }) => !not).length <= 1)
      for (const n of [-6, -1, 0, 2, 3, 6, null]) {
        const entry = [{ orderKey: n === null ? null : numberKey(n), filterKey: null }]
        const passes = both.every((filter) => passesKeyFilter(filter, entry))
        t.is(passes, passesKeyFilter(left, entry) && passesKeyFilter(right, entry), `${one} ${other} ${n}`)
      }
    }
  }
  t.is(allKeyFilters([parsed('string', 'a'), parsed('string', 'b')])[0]?.texts.length, 2)
})

test('not: matches exactly what the rest of the filter does not, including missing values', (t) => {
  const entryOf = (text: string | null) => [
    { orderKey: text === null ? null : orderKey(text), filterKey: text === null ? null : filterKey(text) },
  ]
  const texts = ['soup', 'SOUP', 'pie', '', 'null', 'not:soup', 'a'.repeat(300), null]
  for (const source of ['ou', 'eq:soup', 'in:soup,pie', 'starts:so', 'starts:', `eq:${'a'.repeat(300)}`, 'null']) {
    const [filter, contrary, again] = ['', 'not:', 'not:not:'].map((before) => parsed('string', before + source))
    for (const text of texts) {
      const passes = filter && passesKeyFilter(filter, entryOf(text))
      t.is(contrary && passesKeyFilter(contrary, entryOf(text)), !passes, `${source} ${text}`)
      t.deepEqual(again, filter)
    }
  }
  for (const valueType of ['string', 'number', 'date'] as const) {
    t.true(passesKeyFilter(parsed(valueType, 'null'), entryOf(null)))
    t.false(passesKeyFilter(parsed(valueType, 'null'), entryOf('x')))
    t.true(passesKeyFilter(parsed(valueType, 'not:null'), entryOf('x')))
  }
  t.true(passesKeyFilter(parsed('string', 'eq:null'), entryOf('null')))
})

test('a filter matches an array if one element matches, and its negation if none does', (t) => {
  const entries = [2, 5].map((n) => ({ orderKey: numberKey(n), filterKey: null }))
  const passes = (source: string) => passesKeyFilter(parsed('number', source), entries)
  t.deepEqual(['2', '5', 'in:1,5', 'gt:2', 'not:3', 'not:null'].map(passes), Array(6).fill(true))
  t.deepEqual(['3', 'gt:5', 'not:2', 'not:gt:2', 'null'].map(passes), Array(5).fill(false))
})

test('a long series of not: is read at once', (t) => {
  t.deepEqual(parsed('number', `${'not:'.repeat(2_000)}5`), parsed('number', '5'))
})

test('a text that is not a number or date, or has the prefix of another type, is an error that names the expected form', (t) => {
  for (const source of [
    '',
    'x',
    'in:',
    'in:1,',
    'in:1,x',
    'in:lt:1',
    'not:',
    'not:x',
    'eq:null',
    'in:null',
    'lt:not:1',
    'before:1',
    'constructor:1',
    '0x10',
    '1e',
    ' 1',
    'Infinity',
  ]) {
    t.regex(Object(readKeyFilter('number', source)).error, /must be a number.*gte:.*in:/, source)
  }
  for (const source of ['', 'soon', 'in:2026-03-01,soon', 'gt:soon', 'starts:2026', '2026-02-30']) {
    t.regex(Object(readKeyFilter('date', source)).error, /must be a date.*before:.*in:/, source)
  }
})
