import test from 'ava'
import { type Change, diffJson } from '#shared/json/compare/diff.ts'
import { removeAt, setAt } from '#shared/json/edit/at-pointer.ts'
import { naive, pointersOf } from '../../../support/load/naive-json.ts'
import { pick, randomJson, seeded } from '../../../support/load/random-json.ts'

const cases: [claim: string, before: string, after: string, changes: Change[]][] = [
  ['equal texts', '{"a":1}', '{"a":1}', []],
  [
    'a member that is changed, one that is removed and one that is added',
    '{"a":1,"b":2}',
    '{"a":"1","c":[]}',
    [
      { kind: 'removed', pointer: '/b', from: '2' },
      { kind: 'changed', pointer: '/a', from: '1', to: '"1"' },
      { kind: 'added', pointer: '/c', to: '[]' },
    ],
  ],
  ['the spelling of a number', '[1.0]', '[1]', [{ kind: 'changed', pointer: '/0', from: '1.0', to: '1' }]],
  [
    'a number too long for a double',
    '9007199254740993',
    '9007199254740992',
    [{ kind: 'changed', pointer: '', from: '9007199254740993', to: '9007199254740992' }],
  ],
  ['keys in another order', '{"a":{"x":1,"y":2}}', '{"a":{"y":2,"x":1}}', [{ kind: 'keys', pointer: '/a' }]],
  ['a key that is spelled differently', '{"a":1}', '{"\\u0061":1}', [{ kind: 'keys', pointer: '' }]],
  [
    'an element inserted into an array moves no others',
    '[1,2,3]',
    '[0,1,2,3]',
    [{ kind: 'added', pointer: '/0', to: '0' }],
  ],
  ['an element removed from an array', '[1,2,3]', '[1,3]', [{ kind: 'removed', pointer: '/1', from: '2' }]],
  [
    'a changed element is compared member by member',
    '[{"a":1,"b":2},3]',
    '[9,{"a":1,"b":4},3]',
    [
      { kind: 'added', pointer: '/1', to: '{"a":1,"b":4}' },
      { kind: 'changed', pointer: '/0', from: '{"a":1,"b":2}', to: '9' },
    ],
  ],
  ['one element', '[{"a":1},2]', '[{"a":2},2]', [{ kind: 'changed', pointer: '/0/a', from: '1', to: '2' }]],
]
const byPointer = (a: Change, b: Change) => `${a.pointer}${a.kind}`.localeCompare(`${b.pointer}${b.kind}`)
for (const [claim, before, after, changes] of cases) {
  test(claim, (t) => t.deepEqual(diffJson(before, after).sort(byPointer), [...changes].sort(byPointer)))
}

/** The earlier text with the changes applied. In arrays they are in order from the end, so that positions stay valid. */
function applied(before: string, changes: readonly Change[]): string {
  let text = before
  for (const change of changes) {
    if (change.kind === 'removed') text = removeAt(text, change.pointer)
    else if (change.kind !== 'keys') text = setAt(text, change.pointer, change.to)
  }
  return text
}

test('one changed value is found between any two values, and nothing else', (t) => {
  const random = seeded(11)
  for (let round = 0; round < 300; round++) {
    const before = randomJson(random).compact
    const pointer = pick(random, pointersOf(naive(before)) as [string, ...string[]])
    const after = setAt(before, pointer, `"new ${round}"`)
    const changes = diffJson(before, after)
    t.is(changes.length, 1)
    t.is(applied(before, changes), after)
    t.deepEqual(diffJson(before, before), [])
  }
})

test('any two different texts have a change between them', (t) => {
  const random = seeded(12)
  for (let round = 0; round < 300; round++) {
    const [before, after] = [randomJson(random).compact, randomJson(random).compact]
    t.is(diffJson(before, after).length === 0, before === after)
  }
})

test('arrays with more than two thousand different elements are compared by position', (t) => {
  const numbers = Array.from({ length: 3_000 }, (_, n) => n)
  const inserted = [...numbers.slice(0, 1_500), -1, ...numbers.slice(1_500)]
  t.is(diffJson(JSON.stringify(numbers), JSON.stringify(inserted)).length, 1)
  const spread = (by: number) => JSON.stringify(numbers.flatMap((n) => [n % 7, n * by]))
  t.true(diffJson(spread(2), spread(3)).length > 2_900)
})

test('comparing many arrays takes bounded time', (t) => {
  const lists = (by: number) =>
    Array.from({ length: 40 }, (_, n) => Array.from({ length: 1_900 }, (_, m) => (m * by + n) % 1_901))
  t.true(diffJson(JSON.stringify(lists(2)), JSON.stringify(lists(3))).length > 0)
})
