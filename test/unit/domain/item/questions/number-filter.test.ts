import test from 'ava'
import { integersOf, isInteger, readNumberFilter } from '#shared/domain/item/questions/number-filter.ts'

const integers = [-Number.MAX_SAFE_INTEGER, -3, -2, -1, 0, 1, 2, 3, 1_000, Number.MAX_SAFE_INTEGER]

const filters: [source: string, passes: (n: number) => boolean][] = [
  ['2', (n) => n === 2],
  ['2.5', () => false],
  ['in:-1,2.5,3,1e400', (n) => n === -1 || n === 3],
  ['lt:2', (n) => n < 2],
  ['lt:2.5', (n) => n < 2.5],
  ['lte:2.5', (n) => n <= 2.5],
  ['lte:-1.5', (n) => n <= -1.5],
  ['gt:-1.5', (n) => n > -1.5],
  ['gt:2', (n) => n > 2],
  ['gte:2.5', (n) => n >= 2.5],
  ['gt:1e300', () => false],
  ['lt:1e300', (n) => n < Number.MAX_SAFE_INTEGER],
  ['gt:-1e300', (n) => n > -Number.MAX_SAFE_INTEGER],
]

for (const [source, passes] of filters) {
  test(`of whole numbers ${source} matches the right ones`, (t) => {
    const filter = readNumberFilter('number', source)
    if ('error' in filter) return t.fail(filter.error)
    const set = integersOf(filter)
    for (const n of integers) t.is(isInteger(set, n), passes(n), `${n}`)
  })
}

test('the ends of a time range are included', (t) => {
  const at = Date.parse('2026-03-01')
  const of = (source: string) => {
    const filter = readNumberFilter('date', source)
    return 'error' in filter ? null : integersOf(filter)
  }
  t.deepEqual(of('before:2026-03-01'), { kind: 'range', min: null, max: at })
  t.deepEqual(of('after:2026-03-01'), { kind: 'range', min: at, max: null })
  t.deepEqual(of('eq:2026-03-01'), { kind: 'any-of', numbers: [at] })
})

test('times are compared like numbers', (t) => {
  const at = Date.parse('2026-03-01')
  const passing = (source: string) => {
    const filter = readNumberFilter('date', source)
    return 'error' in filter ? filter.error : [at - 1, at, at + 1].filter((n) => isInteger(integersOf(filter), n))
  }
  t.deepEqual(passing('lt:2026-03-01'), [at - 1])
  t.deepEqual(passing('lte:2026-03-01'), [at - 1, at])
  t.deepEqual(passing('gt:2026-03-01'), [at + 1])
  t.deepEqual(passing('gte:2026-03-01'), [at, at + 1])
})

test('a day includes every millisecond of it in UTC', (t) => {
  const filter = readNumberFilter('date', 'on:2026-12-24')
  if ('error' in filter) return t.fail(filter.error)
  const times = ['2026-12-23T23:59:59.999Z', '2026-12-24', '2026-12-24T23:59:59.999Z', '2026-12-25'].map(Date.parse)
  t.deepEqual(
    times.map((time) => isInteger(integersOf(filter), time)),
    [false, true, true, false],
  )
})

for (const text of ['2026-12', '2026-12-24T10:00Z', '2026-02-29', '', 'in:2026-12-24', 'today']) {
  test(`on:${text} is not a day, and is rejected`, (t) => {
    t.deepEqual(readNumberFilter('date', `on:${text}`), { error: 'must have a day such as 2026-12-24 after on:' })
  })
}

test('a number has no day', (t) => t.true('error' in readNumberFilter('number', 'on:2026-12-24')))
