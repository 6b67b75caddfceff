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
  test(`of whole numbers ${source} passes what it says`, (t) => {
    const filter = readNumberFilter('number', source)
    if ('error' in filter) return t.fail(filter.error)
    const set = integersOf(filter)
    for (const n of integers) t.is(isInteger(set, n), passes(n), `${n}`)
  })
}

test('the ends of a stretch of time are in it', (t) => {
  const at = Date.parse('2026-03-01')
  const of = (source: string) => {
    const filter = readNumberFilter('date', source)
    return 'error' in filter ? null : integersOf(filter)
  }
  t.deepEqual(of('before:2026-03-01'), { kind: 'range', min: null, max: at })
  t.deepEqual(of('after:2026-03-01'), { kind: 'range', min: at, max: null })
  t.deepEqual(of('eq:2026-03-01'), { kind: 'any-of', numbers: [at] })
})
