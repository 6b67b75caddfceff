import test from 'ava'
import { aliasViolation, type IndexTraits, violations } from '#shared/domain/list/index-rules.ts'

const index = (pathName: string, pointer: string, rest: Partial<IndexTraits> = {}): IndexTraits => ({
  pathName,
  pointer,
  alias: false,
  sorting: false,
  filtering: false,
  searching: false,
  guard: false,
  ...rest,
})
const broken = (...indexes: IndexTraits[]) =>
  [...violations(indexes)].filter(([, rules]) => rules.length > 0).map(([pathName]) => pathName)

test('a list has one alias index', (t) => {
  t.deepEqual(broken(index('a', '/a', { alias: true }), index('b', '/b')), [])
  const rules = violations([index('a', '/a', { alias: true }), index('b', '/b', { alias: true })])
  t.deepEqual(
    [...rules.values()].map(([rule]) => rule?.name),
    ['INDEX_ALIAS_EXISTS', 'INDEX_ALIAS_EXISTS'],
  )
})

for (const flag of ['alias', 'sorting', 'filtering', 'searching'] as const) {
  test(`a guard index cannot also have ${flag}`, (t) => {
    t.deepEqual(broken(index('a', '/a', { guard: true, [flag]: true })), ['a'])
  })
}

const pairs: [guard: string, other: string, overlap: boolean][] = [
  ['/a', '/a', true],
  ['/a', '/a/b', true],
  ['/a/b', '/a', true],
  ['/a', '', true],
  ['', '/a', true],
  ['', '', true],
  ['/a', '/ab', false],
  ['/a/b', '/a/c', false],
  ['/a~1b', '/a', false],
  ['/a', '/a/', true],
  ['/', '/a', false],
  ['//', '/', true],
]
for (const [guard, other, overlap] of pairs) {
  test(`a guard at "${guard}" and an index at "${other}" ${overlap ? 'overlap' : 'do not overlap'}, both ways`, (t) => {
    const expected = overlap ? ['g', 'o'] : []
    t.deepEqual(broken(index('g', guard, { guard: true }), index('o', other)).sort(), expected)
    t.deepEqual(broken(index('o', other), index('g', guard, { guard: true })).sort(), expected)
    t.deepEqual(broken(index('g', guard, { guard: true }), index('o', other, { guard: true })).sort(), expected)
  })
}

test('without a guard, indexes may share a pointer', (t) => {
  t.deepEqual(broken(index('a', '/a'), index('b', '/a'), index('c', '/a/b')), [])
})

test('overlaps among many indexes are those of each pair', (t) => {
  const pointers = ['', '/', '/a', '/a/b', '/a/b/c', '/a/c', '/ab', '/a-b', '/b', '/b/', '//']
  let state = 1
  const draw = (bound: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % bound
  }
  const within = (inner: IndexTraits, outer: IndexTraits) => `${inner.pointer}/`.startsWith(`${outer.pointer}/`)
  for (let round = 0; round < 500; round++) {
    const set = Array.from({ length: 1 + draw(8) }, (_, n) =>
      index(`i${n}`, pointers[draw(pointers.length)] ?? '', { guard: draw(3) === 0 }),
    )
    const expected = set.filter((one) =>
      set.some((other) => one !== other && (one.guard || other.guard) && (within(one, other) || within(other, one))),
    )
    t.deepEqual(
      broken(...set),
      expected.map(({ pathName }) => pathName),
      JSON.stringify(set),
    )
  }
})

// Comparing every pair would take minutes.
test('very many indexes are validated without comparing every pair', (t) => {
  const count = 200_000
  const many = Array.from({ length: count }, (_, n) => index(`i${n}`, `/a/b/${n}`, { guard: n % 2 === 0 }))
  const same = Array.from({ length: count }, (_, n) => index(`j${n}`, '/same', { guard: true }))
  const invalid = [...violations([...many, ...same]).values()].filter((rules) => rules.length > 0)
  t.is(invalid.length, count)
})

test('an index that may have elements of arrays cannot become an alias without a new build', (t) => {
  const before = { pointer: '/a', valueType: 'string', alias: false, arrays: true } as const
  const after = { ...before, alias: true }
  t.like(aliasViolation(before, after), { name: 'VALIDATION_FAILED', path: 'alias' })
  const allowed = [
    aliasViolation(before, before),
    aliasViolation({ ...before, alias: true }, after),
    aliasViolation({ ...before, arrays: false }, after),
    aliasViolation(before, { ...after, pointer: '/b' }),
    aliasViolation(before, { ...after, valueType: 'number' }),
  ]
  t.deepEqual(allowed, [null, null, null, null, null])
})
