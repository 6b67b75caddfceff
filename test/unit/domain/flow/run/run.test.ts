import test from 'ava'
import { type DocumentParts, inARow } from '../../../../support/flows/documents.ts'
import { flowOf, outcomeText, run, runOf, type TestRun, testId, testItem } from '../../../../support/flows/driving.ts'

type Nodes = readonly ({ id: string } & Record<string, unknown>)[]

const inRow = (...nodes: Nodes): DocumentParts => ({ nodes, edges: inARow(nodes) })
const body = (text: string) => ({ id: 'end', type: 'respond', body: text })
const one = testItem('c1', '{"name":"one","n":1}')

const cases: [title: string, parts: DocumentParts, test: TestRun, expected: string][] = [
  ['a run without an answer is 204', inRow({ id: 'a', type: 'compute', value: '1' }), {}, '204 null'],
  ['an answer without a body is 200', inRow({ id: 'a', type: 'respond' }), {}, '200 null'],
  [
    'names of the run',
    inRow(body('[input, identity, token, now, flow, steps.end]')),
    { input: '{"a":1.50}' },
    `200 [{"a":1.5},null,null,"2026-03-01T10:00:00.000Z",{"id":"f1","name":"Greet","runId":"r1"},null]`,
  ],
  [
    'numbers too long for a double are returned unchanged',
    inRow(body('input')),
    { input: '[9007199254740993,1e400]' },
    '200 [9007199254740993,1e400]',
  ],
  ['helpers', { ...inRow(body('twice(2)')), helpers: 'function twice(n) = n * 2;' }, {}, '200 4'],
  [
    'require',
    inRow({ id: 'a', type: 'require', when: 'input > 1', status: 403, message: 'No.' }, body('1')),
    { input: '1' },
    '403 REQUIRE_FAILED a: No.',
  ],
  [
    'a requirement that holds',
    inRow({ id: 'a', type: 'require', when: 'input > 1', message: 'No.' }, body('steps.a')),
    { input: '2' },
    '200 true',
  ],
  [
    'a condition must be true or false',
    inRow({ id: 'a', type: 'require', when: 'input', message: 'No.' }),
    { input: '2' },
    '422 EXPRESSION_ERROR a nodes.0.when:1:1: a condition must be true or false, not a number',
  ],
  [
    'an expression that fails names its place',
    inRow({ id: 'a', type: 'compute', value: '1 +\n  input.b' }),
    { input: '{"b":null}' },
    '422 EXPRESSION_ERROR a nodes.0.value:1:3: "+" joins two numbers, two texts or two lists, not a number and null',
  ],
  [
    'a helper that fails names its place',
    { ...inRow({ id: 'a', type: 'compute', value: 'f(1)' }), helpers: 'let a = 1;\nfunction f(n) = n.x;' },
    {},
    '422 EXPRESSION_ERROR a helpers:2:18: cannot read "x" from a number',
  ],
  [
    'too many steps',
    inRow({ id: 'a', type: 'compute', value: 'sum(map(range(10000), n => sum(range(100))))' }),
    {},
    '422 LIMIT a nodes.0.value:1:',
  ],
  [
    'steps are counted over the whole run',
    inRow(
      { id: 'a', type: 'compute', value: 'sum(map(range(10000), n => n * 2))' },
      { id: 'b', type: 'compute', value: 'sum(map(range(10000), n => n * 2))' },
    ),
    {},
    '422 LIMIT b nodes.1.value:1:',
  ],
  [
    'each with a value that is not a list',
    inRow({ id: 'a', type: 'emit', webhooks: [testId(1)], payload: '1', each: 'input' }),
    {},
    '422 EXPRESSION_ERROR a nodes.0.each:1:1: each must be a list, not null',
  ],
  [
    'half of a surrogate pair is not sent',
    inRow(body('["\\ud800"]')),
    {},
    '422 EXPRESSION_ERROR end nodes.0.body:1:1: a text must not have half',
  ],
  ['a text that looks like half of a surrogate pair is sent', inRow(body('"\\\\ud800"')), {}, '200 "\\\\ud800"'],
  [
    'a header of a list',
    inRow({ id: 'a', type: 'respond', headers: { 'x-a': '[]' } }),
    {},
    '422 EXPRESSION_ERROR a nodes.0.headers.x-a:1:1: a header must be a text, a number or null, not a list',
  ],
  [
    'a header of two lines',
    inRow({ id: 'a', type: 'respond', headers: { 'x-a': '"a\\r\\nset-cookie: b"' } }),
    {},
    '422 EXPRESSION_ERROR a nodes.0.headers.x-a:1:1: the header x-a must have only printable ASCII characters',
  ],
  [
    'all steps at once are a value like any other',
    inRow({ id: 'a', type: 'compute', value: 'steps' }, { id: 'b', type: 'compute', value: 'steps' }, body('steps.b')),
    {},
    '200 {"a":{}}',
  ],
]

for (const [title, parts, given, expected] of cases) {
  test(title, (t) => {
    const found = outcomeText(run(parts, given))
    t.true(found.startsWith(expected), found)
  })
}

test('a decision continues at its port, and steps that did not run are null', (t) => {
  const nodes = [
    {
      id: 'size',
      type: 'switch',
      cases: [
        { when: 'input > 9', port: 'big' },
        { when: 'input > 1', port: 'small' },
      ],
    },
    { id: 'big', type: 'compute', value: '"B"' },
    { id: 'odd', type: 'condition', when: 'input % 2 == 1' },
    { id: 'yes', type: 'compute', value: '"Y"' },
    body('[steps.size, steps.big, steps.odd, steps.yes]'),
  ]
  const edges = [
    ['size', 'big', 'big'],
    ['size', 'odd', 'small'],
    ['big', 'end'],
    ['odd', 'yes', 'true'],
    ['odd', 'end', 'false'],
    ['yes', 'end'],
  ]
  const flow = flowOf({ nodes, edges })
  t.is(outcomeText(runOf(flow, { input: '10' })), '200 ["big","B",null,null]')
  t.is(outcomeText(runOf(flow, { input: '3' })), '200 ["small",null,true,"Y"]')
  t.is(outcomeText(runOf(flow, { input: '4' })), '200 ["small",null,false,null]')
  t.is(outcomeText(runOf(flow, { input: '0' })), '204 null')
  t.deepEqual(
    runOf(flow, { input: '3' }).steps.map(({ node, port }) => [node, port]),
    [
      ['size', 'small'],
      ['odd', 'true'],
      ['yes', 'next'],
      ['end', null],
    ],
  )
  t.deepEqual(
    runOf(flow, { input: '0' }).steps.map(({ node, port }) => [node, port]),
    [['size', null]],
  )
})

test('emits have their own ids, and are sent only if the run responds', (t) => {
  const emit = {
    id: 'a',
    type: 'emit',
    webhooks: [testId(1), testId(2)],
    payload: '{n: item, at: index}',
    each: '[5, 6]',
  }
  const { emits, outcome } = run(inRow(emit, body('steps.a')))
  t.deepEqual(emits, [
    { eventId: testId(1), webhooks: [testId(1), testId(2)], payload: '{"n":5,"at":0}', node: 'a' },
    { eventId: testId(2), webhooks: [testId(1), testId(2)], payload: '{"n":6,"at":1}', node: 'a' },
  ])
  t.like(outcome, { body: JSON.stringify([{ eventId: testId(1) }, { eventId: testId(2) }]) })
  const failed = run(
    inRow(
      emit,
      { id: 'b', type: 'update-item', list: 'cards', item: '"c1"', merge: '{}' },
      { id: 'c', type: 'require', when: 'false', message: 'No.' },
    ),
    { items: { c1: one } },
  )
  t.deepEqual([failed.emits, failed.writes], [[], []])
  t.deepEqual(
    failed.steps.map(({ node }) => node),
    ['a', 'b', 'c'],
  )
  t.is(failed.reads.length, 1)
})

test('headers of a response are lower-case texts', (t) => {
  const headers = { Location: '"/a"', 'X-N': '1.5', 'x-none': 'null' }
  const { outcome } = run(inRow({ id: 'a', type: 'respond', status: 302, headers }))
  t.deepEqual(outcome, { kind: 'answered', status: 302, body: null, headers: { location: '/a', 'x-n': '1.5' } })
})

test('a run records its actions, with the values of expressions and their number of steps', (t) => {
  const parts = inRow(
    { id: 'a', type: 'emit', webhooks: [testId(1)], payload: 'item + 1', each: '[1, 2]' },
    { id: 'b', type: 'require', when: 'steps.a == null', message: 'No.' },
  )
  const { steps, fuel } = run(parts)
  t.deepEqual(
    steps.map(({ node, result, fuel: taken, port }) => [node, JSON.stringify(result), taken, port]),
    [
      ['a', `[{"eventId":"${testId(1)}"},{"eventId":"${testId(2)}"}]`, 11, 'next'],
      ['b', 'null', 5, null],
    ],
  )
  t.deepEqual({ ...steps[0]?.inputs }, { each: [1, 2], payload: 3 })
  t.is(fuel, 16)
  t.false(steps.some((step) => 'durationMs' in step))
})

test('each step of a run has its duration, with its reads, if there is a clock', (t) => {
  const parts = inRow(
    { id: 'a', type: 'get-item', list: 'cards', item: '"x"' },
    { id: 'b', type: 'compute', value: '1' },
  )
  let now = 0
  const wait = (ms: number) => {
    now += ms
    return now
  }
  const { steps } = run(parts, { clock: () => wait(0.00125), answer: () => void wait(2.5) })
  t.deepEqual(
    steps.map(({ node, durationMs }) => [node, durationMs]),
    [
      ['a', 2.501],
      ['b', 0.001],
    ],
  )
})
