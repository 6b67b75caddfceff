import test from 'ava'
import { readFlowTests } from '#shared/domain/flow/tests/tests-document.ts'
import { lineOf } from '../../../../support/flows/diagnostics.ts'

const one = { name: 'a', expect: {} }

const cases: [tests: unknown, ...expected: string[]][] = [
  [{ tests: [] }],
  [{ tests: [one] }],
  [[], 'WRONG_TYPE : must be an object with tests'],
  [{}, 'REQUIRED tests: is required'],
  [{ tests: {} }, 'WRONG_TYPE tests: must be an array of tests'],
  [{ tests: [one], test: 1 }, 'UNKNOWN_PROPERTY test: is not allowed; did you mean "tests"?'],
  [{ tests: [1] }, 'WRONG_TYPE tests.0: must be an object with name and expect'],
  [{ tests: [{}] }, 'REQUIRED tests.0.name: is required', 'REQUIRED tests.0.expect: is required'],
  [{ tests: [{ ...one, event: {} }] }, 'UNSUPPORTED_ENTRY tests.0.event: is for flows of the type event'],
  [{ tests: [{ ...one, identity: 'ada' }] }, 'INVALID tests.0.identity: is not an identity of the tests'],
  [
    { identities: { adam: {} }, tests: [{ ...one, identity: 'adan' }] },
    'INVALID tests.0.identity: is not an identity of the tests; did you mean "adam"?',
  ],
  [{ tests: [{ ...one, now: 'soon' }] }, 'INVALID tests.0.now: must be a time'],
  [
    { tests: [{ ...one, items: { carts: {} } }] },
    'UNKNOWN_LIST tests.0.items.carts: is not a list that the flow names; did you mean "cards"?',
  ],
  [{ tests: [{ ...one, items: { CARDS: { c: { data: 1 } } } }] }],
  [{ items: [], tests: [] }, 'WRONG_TYPE items: must be an object of items by list and id'],
  [{ items: { cards: [] }, tests: [] }, 'WRONG_TYPE items.cards: must be an object of items by id'],
  [{ items: { cards: { c: 1 } }, tests: [] }, 'WRONG_TYPE items.cards.c: must be {"data": …}, or null'],
  [{ items: { cards: { c: {} } }, tests: [] }, 'REQUIRED items.cards.c.data: is required'],
  [
    { items: { cards: { c: { data: 1, tags: 'x' } } }, tests: [] },
    'INVALID items.cards.c.tags: must be an array of tags',
  ],
  [
    { items: { cards: { c: { data: 1, owner: 'x' } } }, tests: [] },
    'INVALID items.cards.c.owner: is not an identity of the tests',
  ],
  [
    { items: { cards: { c: { data: 1, version: '1' } } }, tests: [] },
    'INVALID items.cards.c.version: must have the form',
  ],
  [{ identities: 1, tests: [] }, 'WRONG_TYPE identities: must be an object of identities by id'],
  [{ identities: { a: 1 }, tests: [] }, 'WRONG_TYPE identities.a: must be an object'],
  [
    { identities: { a: { nam: 'A' } }, tests: [] },
    'UNKNOWN_PROPERTY identities.a.nam: is not allowed; did you mean "name"?',
  ],
  [{ tests: [{ name: 'a', expect: 1 }] }, 'WRONG_TYPE tests.0.expect: must be an object'],
  [
    { tests: [{ name: 'a', expect: { stauts: 200 } }] },
    'UNKNOWN_PROPERTY tests.0.expect.stauts: is not allowed; did you mean "status"?',
  ],
  [
    { tests: [{ name: 'a', expect: { status: '200' } }] },
    'INVALID tests.0.expect.status: must be a whole number from 100 to 599',
  ],
  [{ tests: [{ name: 'a', expect: { writes: {} } }] }, 'WRONG_TYPE tests.0.expect.writes: must be an array'],
  [
    { tests: [{ name: 'a', expect: { items: { carts: {} } } }] },
    'UNKNOWN_LIST tests.0.expect.items.carts: is not a list',
  ],
  [
    { tests: [{ name: 'a', expect: { items: { cards: 1 } } }] },
    'WRONG_TYPE tests.0.expect.items.cards: must be an object of data by id',
  ],
  [
    { tests: Array.from({ length: 101 }, () => one) },
    'INVALID tests.100: is one too many: a flow has at most 100 tests',
  ],
]

for (const [n, [value, ...expected]] of cases.entries()) {
  test(`${n}: ${expected.join('; ') || 'they are tests'}`, (t) => {
    const { tests, diagnostics } = readFlowTests(JSON.stringify(value), ['cards'])
    const found = diagnostics.map(lineOf)
    t.is(found.length, expected.length, found.join('\n'))
    for (const [at, message] of expected.entries()) t.true(found[at]?.startsWith(message), found.join('\n'))
    t.is(tests === null, expected.length > 0)
  })
}

test('numbers that a double cannot hold keep their text', (t) => {
  const { tests } = readFlowTests(
    '{"tests": [{"name": "a", "input": 9007199254740993, "expect": {"body": 1e400}}]}',
    [],
  )
  t.is(JSON.stringify([tests?.tests[0]?.input, tests?.tests[0]?.expect.body]), '[9007199254740993,1e400]')
})

test('identities are an object by key, or an array of those with an id; tests name them in both forms', (t) => {
  const identityOf = (identities: unknown, identity: unknown) => {
    const text = JSON.stringify({ identities, tests: [{ ...one, identity }] })
    return readFlowTests(text, []).tests?.tests[0]?.identity
  }
  const ada = { id: 'u1', name: 'ada', displayName: 'Ada', group: 'users', tags: ['vip'] }
  t.deepEqual(identityOf({ ada: { id: 'u1', name: 'ada', displayName: 'Ada', tags: ['vip'] } }, 'ada'), ada)
  t.deepEqual(identityOf({ ada: { id: 'u1', name: 'ada', displayName: 'Ada', tags: ['vip'] } }, 'u1'), ada)
  t.deepEqual(identityOf([ada], 'u1'), ada)
  t.deepEqual(identityOf({ bob: {} }, 'bob'), { id: 'bob', name: 'bob', displayName: 'bob', group: 'users', tags: [] })
  t.is(identityOf({}, null), null)
})
