import test from 'ava'
import { mergeChanges, type Side } from '#shared/json/compare/merge.ts'
import { setAt } from '#shared/json/edit/at-pointer.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { naive, pointersOf } from '../../../support/load/naive-json.ts'
import { pick, randomJson, seeded } from '../../../support/load/random-json.ts'

const merged: [claim: string, base: string, mine: string, theirs: string, expected: string][] = [
  ['changes of two members', '{"a":1,"b":2}', '{"a":10,"b":2}', '{"a":1,"b":20}', '{"a":10,"b":20}'],
  ['a removal and a change next to it', '{"a":1,"b":2}', '{"b":2}', '{"a":1,"b":3}', '{"b":3}'],
  ['the same change', '{"a":1}', '{"a":2}', '{"a":2}', '{"a":2}'],
  [
    'new members, each after its neighbor',
    '{"a":1,"b":2}',
    '{"a":1,"m":0,"b":2}',
    '{"t":0,"a":1,"b":2}',
    '{"t":0,"a":1,"m":0,"b":2}',
  ],
  ['an order that only I changed', '{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1,"b":3}', '{"b":3,"a":1}'],
  ['an order that only they changed', '{"a":1,"b":2}', '{"a":0,"b":2}', '{"b":2,"a":1}', '{"b":2,"a":0}'],
  ['an element that I changed and one that they appended', '[{"x":1}]', '[{"x":2}]', '[{"x":1},9]', '[{"x":2},9]'],
  ['elements inserted at different places', '[1,2,3]', '[0,1,2,3]', '[1,2,3,4]', '[0,1,2,3,4]'],
  ['elements removed at different places', '[1,2,3,4]', '[2,3,4]', '[1,2,3]', '[2,3]'],
  ['the spelling of numbers', '{"a":1e400,"b":1}', '{"a":1e401,"b":1}', '{"a":1e400,"b":1.0}', '{"a":1e401,"b":1.0}'],
]
for (const [claim, base, mine, theirs, expected] of merged) {
  test(`merged: ${claim}`, (t) => {
    const { conflicts, print } = mergeChanges({ base, mine, theirs })
    t.deepEqual(conflicts, [])
    t.is(print([]), expected)
  })
}

type Case = [
  claim: string,
  texts: { base: string; mine: string; theirs: string },
  pointer: string,
  mine: string,
  theirs: string,
]
const conflicts: Case[] = [
  [
    'both changed a value',
    { base: '{"a":1,"b":0}', mine: '{"a":2,"b":0}', theirs: '{"a":3,"b":1}' },
    '/a',
    '{"a":2,"b":1}',
    '{"a":3,"b":1}',
  ],
  [
    'one side removed a value that the other changed',
    { base: '{"a":1,"b":0}', mine: '{"b":0}', theirs: '{"a":3,"b":0}' },
    '/a',
    '{"b":0}',
    '{"a":3,"b":0}',
  ],
  [
    'a value that contains the other',
    { base: '{"a":{"b":1}}', mine: '{"a":5}', theirs: '{"a":{"b":2}}' },
    '/a',
    '{"a":5}',
    '{"a":{"b":2}}',
  ],
  ['both added the same key', { base: '{}', mine: '{"a":1}', theirs: '{"a":2}' }, '/a', '{"a":1}', '{"a":2}'],
  ['both inserted at one place', { base: '[1]', mine: '[1,2,3]', theirs: '[1,4]' }, '/1', '[1,2,3]', '[1,4]'],
  ['the whole', { base: '1', mine: '2', theirs: '3' }, '', '2', '3'],
]
for (const [claim, texts, pointer, mine, theirs] of conflicts) {
  test(`conflict: ${claim}`, (t) => {
    const { conflicts, print } = mergeChanges(texts)
    t.deepEqual(
      conflicts.map((conflict) => conflict.pointer),
      [pointer],
    )
    t.is(print(['mine']), mine)
    t.is(print(['theirs']), theirs)
    t.is(print([]), theirs)
  })
}

test('a conflict has all three values, null for a missing one', (t) => {
  const { conflicts } = mergeChanges({ base: '{"a":1}', mine: '{}', theirs: '{"a":2}' })
  t.deepEqual(conflicts, [{ pointer: '/a', base: '1', mine: null, theirs: '2' }])
})

const rounds = 400

test('changes at two pointers that do not overlap are merged, whatever the value', (t) => {
  const random = seeded(21)
  let both = 0
  for (let round = 0; round < rounds; round++) {
    const base = randomJson(random).compact
    const pointers = pointersOf(naive(base)) as [string, ...string[]]
    const [p, q] = [pick(random, pointers), pick(random, pointers)]
    if (`${p}/`.startsWith(`${q}/`) || `${q}/`.startsWith(`${p}/`)) continue
    both++
    const [mine, theirs] = [setAt(base, p, '"mine"'), setAt(base, q, '"theirs"')]
    const { conflicts, print } = mergeChanges({ base, mine, theirs })
    t.deepEqual(conflicts, [])
    t.is(print([]), setAt(mine, q, '"theirs"'))
  }
  t.true(both > 50)
})

test('if one side changed nothing, or both are the same, the result is the other side byte for byte', (t) => {
  const random = seeded(22)
  for (let round = 0; round < rounds; round++) {
    const [base, other] = [randomJson(random).compact, randomJson(random).compact]
    t.is(mergeChanges({ base, mine: other, theirs: base }).print([]), other)
    t.is(mergeChanges({ base, mine: base, theirs: other }).print([]), other)
    t.is(mergeChanges({ base, mine: other, theirs: other }).print([]), other)
  }
})

test('whatever is chosen, the result is JSON without repeated keys', (t) => {
  const random = seeded(23)
  for (let round = 0; round < rounds; round++) {
    const base = randomJson(random).compact
    const change = () =>
      setAt(base, pick(random, pointersOf(naive(base)) as [string, ...string[]]), randomJson(random, 3).compact)
    const { conflicts, print } = mergeChanges({ base, mine: change(), theirs: change() })
    const text = print(conflicts.map(() => pick<Side>(random, ['mine', 'theirs'])))
    t.is(findSyntaxError(text, 200), null, text)
  }
})
