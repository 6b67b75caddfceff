import test from 'ava'
import type { Question } from '#shared/domain/item/questions/question.ts'
import { type LeafReader, readWhere } from '#shared/domain/item/questions/where.ts'

/** Accepts every name except `unknown`; it returns name and filter as a filter on the version, so that tests see them. */
const readLeaf: LeafReader = (name, source) =>
  name === 'unknown'
    ? { error: 'is not known' }
    : { kind: 'version', filter: { kind: 'equals', text: `${name}=${source}` } }

const leaf = (text: string): Question => ({ kind: 'version', filter: { kind: 'equals', text } })
const read = (where: unknown) => readWhere(typeof where === 'string' ? where : JSON.stringify(where), readLeaf)
const errorsOf = (where: unknown) => {
  const found = read(where)
  return 'errors' in found ? found.errors : []
}

test('conditions are combined as they are written, several keys and values with and', (t) => {
  const cases: [where: unknown, question: Question][] = [
    [{ a: 'x' }, leaf('a=x')],
    [{ a: null }, leaf('a=null')],
    [
      { a: 5, b: true },
      { kind: 'and', of: [leaf('a=5'), leaf('b=true')] },
    ],
    [{ a: ['x', 'y'] }, { kind: 'and', of: [leaf('a=x'), leaf('a=y')] }],
    [{ a: ['x'] }, leaf('a=x')],
    [{ not: { a: 'x' } }, { kind: 'not', of: leaf('a=x') }],
    [
      { or: [{ cuisine: 'thai' }, { and: [{ minutes: 'lt:20' }, { not: { tagged: 'draft' } }] }] },
      {
        kind: 'or',
        of: [
          leaf('cuisine=thai'),
          { kind: 'and', of: [leaf('minutes=lt:20'), { kind: 'not', of: leaf('tagged=draft') }] },
        ],
      },
    ],
    [
      { a: 'x', or: [{ b: 'y' }] },
      { kind: 'and', of: [leaf('a=x'), { kind: 'or', of: [leaf('b=y')] }] },
    ],
  ]
  for (const [where, question] of cases) t.deepEqual(read(where), { question }, JSON.stringify(where))
})

/** A condition inside this number of `not` levels. */
const nested = (levels: number): unknown => (levels === 0 ? { a: 'x' } : { not: nested(levels - 1) })
const many = (leaves: number) => ({ or: Array.from({ length: leaves }, (_, n) => ({ a: `x${n}` })) })

test('four levels and twenty conditions are read, and one more of either is an error at its position', (t) => {
  t.true('question' in read(nested(4)))
  t.deepEqual(
    errorsOf(nested(5)).map(({ path }) => path),
    ['where.not.not.not.not.not'],
  )
  t.true('question' in read({ or: [{ and: [{ or: [{ not: { a: 'x' } }] }] }] }))
  t.true('question' in read({ or: [{ and: [{ or: [{ a: 'x', b: 'y' }] }] }] }))
  const several = { or: [{ and: [{ or: [{ not: { a: 'x', b: 'y' } }] }] }] }
  t.deepEqual(
    errorsOf(several).map(({ path }) => path),
    ['where.or.0.and.0.or.0.not'],
  )
  t.regex(errorsOf(several)[0]?.message ?? '', /4 levels.*several keys/)
  t.true('question' in read(many(20)))
  t.deepEqual(
    errorsOf(many(21)).map(({ path }) => path),
    ['where.or'],
  )
  const apart = { and: [{ or: Array(10).fill({ a: 'x' }) }, { or: Array(11).fill({ b: ['y'] }) }] }
  t.deepEqual(errorsOf(apart), [{ path: 'where', message: 'must have at most 20 conditions, and has 21' }])
})

const bad: [where: unknown, path: string, message: RegExp][] = [
  ['', 'where', /JSON text such as/],
  ['{"a":', 'where', /JSON text such as.*at character 5/],
  ['{"a":"x","a":"y"}', 'where', /repeated/],
  ['{"a":"\\ud800"}', 'where', /JSON text such as/],
  ['[]', 'where', /JSON text such as/],
  ['"a"', 'where', /JSON text such as/],
  ['null', 'where', /JSON text such as/],
  ['['.repeat(5_000), 'where', /nested deeper/],
  [`{"a":"${'x'.repeat(10_000)}"}`, 'where', /10000 characters/],
  [{}, 'where', /name a condition/],
  [{ or: [] }, 'where.or', /array of objects/],
  [{ or: { a: 'x' } }, 'where.or', /array of objects/],
  [{ and: 'x' }, 'where.and', /array of objects/],
  [{ or: ['x'] }, 'where.or.0', /object of conditions/],
  [{ not: [{ a: 'x' }] }, 'where.not', /object of conditions/],
  [{ not: {} }, 'where.not', /name a condition/],
  [{ a: {} }, 'where.a', /a string, a number/],
  [{ a: [] }, 'where.a', /1 to 20/],
  [{ a: [['x']] }, 'where.a.0', /a string, a number/],
  [{ a: '' }, 'where.a', /empty/],
  [{ a: 'not:not:' }, 'where.a', /empty/],
  [{ or: [{ a: 'x' }, { unknown: 'y' }] }, 'where.or.1.unknown', /not known/],
]

for (const [where, path, message] of bad) {
  const shown = (typeof where === 'string' ? where : JSON.stringify(where)).slice(0, 60)
  test(`where=${shown} is an error that names its position`, (t) => {
    const [error, ...others] = errorsOf(where)
    t.deepEqual(others, [])
    t.is(error?.path, path)
    t.regex(error?.message ?? '', message)
  })
}

test('all errors are reported at once', (t) => {
  const errors = errorsOf({ or: [{ unknown: 'x' }, { a: {} }, { not: { unknown: 'y' } }] })
  t.deepEqual(
    errors.map(({ path }) => path),
    ['where.or.0.unknown', 'where.or.1.a', 'where.or.2.not.unknown'],
  )
})
