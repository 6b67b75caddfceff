import test from 'ava'
import { compileSchema } from '#shared/json-schema/json-schema.ts'
import { type DocumentParts, inARow } from '../../../../support/flows/documents.ts'
import { testId } from '../../../../support/flows/driving.ts'
import { messageOf, runTests, testList } from '../../../../support/flows/flow-tests.ts'

/** A flow that counts one vote of each identity. */
const nodes = [
  { id: 'who', type: 'require', when: 'identity != null', status: 401, message: 'Sign in to vote.' },
  { id: 'card', type: 'get-item', list: 'cards', item: 'input.card', required: true },
  {
    id: 'once',
    type: 'require',
    when: 'identity.id not in (steps.card.data.voters ?? [])',
    status: 409,
    message: 'You have voted.',
  },
  {
    id: 'count',
    type: 'update-item',
    list: 'cards',
    item: 'steps.card.id',
    merge: '{n: steps.card.data.n + 1, voters: (steps.card.data.voters ?? []) + [identity.id]}',
  },
  { id: 'tell', type: 'emit', webhooks: [testId(1)], payload: '{card: steps.card.id}' },
  { id: 'end', type: 'respond', status: 201, body: '{n: steps.count.data.n, at: now}' },
]
const input = {
  type: 'object',
  properties: { card: { type: 'string' }, action: { enum: ['up', 'down'] } },
  required: ['card'],
}
const vote: DocumentParts = { nodes, edges: inARow(nodes), entry: { type: 'endpoint', path: 'vote', input } }
const shared = { identities: { ada: { displayName: 'Ada' }, bob: {} }, items: { Cards: { c1: { data: { n: 1 } } } } }

test('for the test whose steps are requested, each node of its path is returned, and where it failed', (t) => {
  const tests = ['counts', 'fails'].map((name) => ({
    name,
    ...(name === 'counts' && { identity: 'ada' }),
    input: { card: 'c1' },
    expect: { status: name === 'counts' ? 201 : 401 },
  }))
  const [counts, fails] = runTests(vote, { ...shared, tests }, { stepsOf: 'counts' })
  const visited = (text: string | undefined) => [...(text ?? '').matchAll(/"node":"(\w+)"/g)].map(([, node]) => node)
  t.deepEqual(
    visited(counts?.stepsText),
    nodes.map(({ id }) => id),
  )
  t.is(counts?.node, undefined)
  t.is(fails?.stepsText, undefined)
  const [, failed] = runTests(vote, { ...shared, tests }, { stepsOf: 'fails' })
  t.deepEqual(visited(failed?.stepsText), ['who'])
  t.is(failed?.node, 'who')
})

test('tests of a flow pass, each with its own items', (t) => {
  const results = runTests(vote, {
    ...shared,
    tests: [
      {
        name: 'counts',
        identity: 'ada',
        input: { card: 'c1' },
        now: '2026-03-01T10:00:00Z',
        expect: {
          status: 201,
          body: { n: 2.0, at: '2026-03-01T10:00:00.000Z' },
          items: { cards: { c1: { n: 2, voters: ['ada'] }, c2: null } },
          writes: [{ op: 'update', list: 'Cards', itemId: 'c1', version: '1.0.1' }],
          emits: [{ webhooks: [testId(1)], payload: { card: 'c1' } }],
        },
      },
      {
        name: 'once',
        identity: 'ada',
        input: { card: 'c1' },
        items: { cards: { c1: { data: { n: 1, voters: ['ada'] } } } },
        expect: { status: 409, error: 'have voted', writes: [], emits: [] },
      },
      {
        name: 'item next to itemId',
        identity: 'ada',
        input: { card: 'c1' },
        expect: { status: 201, writes: [{ op: 'update', list: 'cards', item: 'c1' }] },
      },
      { name: 'signed in', input: { card: 'c1' }, expect: { error: 'Sign in' } },
      { name: 'no card', identity: 'bob', input: { card: 'c2' }, expect: { status: 404, error: 'there is no item' } },
      { name: 'gone', identity: 'bob', input: { card: 'c1' }, items: { cards: { c1: null } }, expect: { status: 404 } },
      { name: 'input', input: {}, expect: { status: 400, error: 'card must be given' } },
      { name: 'action', input: { card: 'c1', action: 'x' }, expect: { error: 'action must be one of' } },
    ],
  })
  t.deepEqual(
    results.filter(({ passed }) => !passed),
    [],
  )
  t.is(results.length, 8)
})

const failing: [expect: Record<string, unknown>, message: string][] = [
  [{ status: 200 }, 'status is 201, not 200'],
  [{ body: { n: 3 } }, 'body.n is 2, not 3'],
  [{ body: null }, 'body is {"n":2,"at":"2026-01-01T00:00:00.000Z"}, not null'],
  [{ body: { m: 1 } }, 'body.m does not exist, and should be 1'],
  [{ error: 'x' }, 'it was expected to fail with "x", and answered 201'],
  [{ items: { cards: { c1: { voters: [] } } } }, 'items.cards.c1.voters has 1 elements, not 0: the next one is "ada"'],
  [{ items: { cards: { c1: null } } }, 'items.cards.c1 exists, and should not'],
  [{ items: { cards: { c9: {} } } }, 'items.cards.c9 does not exist'],
  [{ writes: [] }, 'writes has 1 elements, not 0: the next one is {"op":"update","list":"cards","itemId":"c1"'],
  [{ writes: [{ item: 'c2' }] }, 'writes.0.itemId is "c1", not "c2"'],
  [{ writes: [{ op: 'create' }] }, 'writes.0.op is "update", not "create"'],
  [{ emits: [{}, {}] }, 'emits.1 does not exist, and should be {}'],
]
for (const [expect, message] of failing) {
  test(`a test that fails says: ${message}`, (t) => {
    const found = messageOf(vote, { identity: 'ada', input: { card: 'c1' }, expect }, { shared })
    t.true(found?.startsWith(message), found ?? 'it passed')
  })
}

test('an unexpected failure of a run is reported with its reason and its response', (t) => {
  const [result] = runTests(vote, { tests: [{ name: 'a', input: { card: 'c1' }, expect: {} }] })
  const message = 'it failed with 401 REQUIRE_FAILED at the node "who": Sign in to vote.'
  t.deepEqual(result, { name: 'a', passed: false, message, actual: { status: 401, body: null, error: message } })
  t.is(
    messageOf(vote, { input: { card: 'c1' }, expect: { error: 'Sign out' } }),
    'the error is "Sign in to vote.", and should contain "Sign out"',
  )
  t.is(messageOf(vote, { input: {}, expect: {} }), 'it failed with 400: card must be given')
  const broken = [{ id: 'a', type: 'compute', value: '1 + input' }]
  t.is(
    messageOf({ nodes: broken }, { expect: {} }),
    'it failed with 422 EXPRESSION_ERROR at the node "a", nodes.0.value, line 1, column 3: "+" joins two numbers, two texts or two lists, not a number and null',
  )
})

test('writes obey the rules of items', (t) => {
  const write = (node: Record<string, unknown>): DocumentParts => ({ nodes: [{ id: 'w', list: 'cards', ...node }] })
  const update = write({ type: 'update-item', item: '"c1"', merge: 'input' })
  const run = (
    parts: DocumentParts,
    item: Record<string, unknown>,
    list = testList([{ pointer: '/name', pathName: 'name', alias: true }]),
  ) =>
    messageOf(
      parts,
      { input: { name: 'b', n: 1 }, expect: { items: { cards: { c1: {} } } } },
      {
        shared: { items: { cards: { c1: { data: { name: 'a' }, ...item }, c2: { data: { name: 'c' } } } } },
        world: { lists: new Map([['cards', list]]) },
      },
    )
  t.is(run(update, {}), null)
  t.regex(run(update, { locked: true }) ?? '', /409 ITEM_LOCKED at the node "w"/)
  t.regex(run(update, { readonly: true }) ?? '', /ITEM_READONLY/)
  t.regex(
    run(update, {}, testList([], { list: { id: 'cards', accountId: 'a', readonly: true } })) ?? '',
    /LIST_READONLY/,
  )
  t.regex(
    run(update, {}, testList([], { schemaErrors: compileSchema('{"required":["x"]}') })) ?? '',
    /422 SCHEMA_INVALID at the node "w": the item does not match the schema of its list: data must have the property "x"/,
  )
  t.regex(run(write({ type: 'update-item', item: '"c1"', merge: '{name: "c"}' }), {}) ?? '', /ITEM_ALIAS_TAKEN/)
  t.regex(run(write({ type: 'create-item', data: '{name: "a"}' }), {}) ?? '', /ITEM_ALIAS_TAKEN/)
  for (const alias of ['12345678901234567890', '"x\\u0000y"']) {
    const created = run(write({ type: 'create-item', data: `{name: ${alias}}` }), {}) ?? ''
    t.regex(created, /422 VALIDATION_FAILED at the node "w": data\.name (is too big|must not)/, alias)
  }
  t.regex(run(write({ type: 'create-item', data: 'range(900)' }), {}) ?? '', /PAYLOAD_TOO_LARGE/)
  t.regex(run(write({ type: 'delete-item', item: '"c2"' }), {}) ?? 'passed', /passed/)
})

test('a node that does not see guarded values does not see schema errors at those of the item', (t) => {
  const schemaErrors = compileSchema('{"properties":{"secret":{"minimum":100},"n":{"maximum":5}}}')
  const world = {
    lists: new Map([['cards', testList([{ pointer: '/secret', pathName: 'secret', guard: true }], { schemaErrors })]]),
  }
  const shared = { items: { cards: { c1: { data: { secret: 7 } } } } }
  const run = (node: Record<string, unknown>, input: unknown) => {
    const parts = { nodes: [{ id: 'w', type: 'update-item', list: 'cards', item: '"c1"', merge: 'input', ...node }] }
    return messageOf(parts, { input, expect: { status: 200 } }, { shared, world })?.split('schema of its list: ')[1]
  }
  const hidden = 'A value that you cannot see does not match the schema.'
  t.is(run({}, { a: 2 }), hidden)
  t.is(run({}, { secret: 8 }), hidden)
  t.is(run({}, { n: 6 }), 'data.n must be <= 5')
  t.is(run({ guarded: true }, { a: 2 }), 'data.secret must be >= 100')
  const created = { type: 'create-item', item: undefined, merge: undefined, data: 'input' }
  t.is(run(created, { secret: 8 }), 'data.secret must be >= 100')
})

test('a failure at a rule leaves everything unchanged', (t) => {
  const parts = inARowOf(
    { id: 'a', type: 'update-item', list: 'cards', item: '"c2"', merge: '{n: 9}' },
    { id: 'b', type: 'create-item', list: 'cards', data: '{name: "a"}' },
  )
  const world = { lists: new Map([['cards', testList([{ pointer: '/name', pathName: 'name', alias: true }])]]) }
  const items = { cards: { c1: { data: { name: 'a' } }, c2: { data: { n: 1 } } } }
  t.is(
    messageOf(
      parts,
      { expect: { error: 'alias', items: { cards: { c2: { n: 1 } } }, writes: [] } },
      { shared: { items }, world },
    ),
    null,
  )
})

function inARowOf(...some: ({ id: string } & Record<string, unknown>)[]): DocumentParts {
  return { nodes: some, edges: inARow(some) }
}

test('the tests of a flow have a common limit of steps, and the tests after it fail', (t) => {
  const parts = { nodes: [{ id: 'a', type: 'compute', value: 'map(range(3000), a => map(range(9), b => a * b))' }] }
  const tests = Array.from({ length: 40 }, (_, n) => ({ name: `${n}`, expect: { status: 422 } }))
  const messages = runTests(parts, { tests }).map(({ passed }) => passed)
  t.deepEqual(new Set(messages), new Set([true]))
  const [last] = runTests(parts, {
    tests: tests.map(({ name }) => ({ name, expect: { error: 'more steps than a run may' } })),
  }).slice(-1)
  t.is(
    last?.message,
    'the error is "the tests of a flow take at most 2,000,000 steps together", and should contain "more steps than a run may"',
  )
})

test('pages of many items count as work too', (t) => {
  const nodes = Array.from({ length: 200 }, (_, n) => ({
    id: `n${n}`,
    type: 'list-items',
    list: 'cards',
    where: { tagged: '"none"' },
  }))
  const items = { cards: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`c${n}`, { data: n }])) }
  const tests = Array.from({ length: 8 }, (_, n) => ({ name: `${n}`, expect: {} }))
  const results = runTests(inARowOf(...nodes), { items, tests })
  t.is(results.filter(({ passed }) => passed).length, 4)
  t.regex(results.at(-1)?.message ?? '', /take at most 2,000,000 steps together/)
})
