import test from 'ava'
import { nodeTypes } from '#shared/domain/flow/language/properties.ts'
import { assertDiagnostics } from '../../../../support/flows/diagnostics.ts'
import { type DocumentParts, inARow } from '../../../../support/flows/documents.ts'

/** A document with one node, named `it`, before the node that responds. */
const withNode = (node: Record<string, unknown>): DocumentParts => {
  const nodes = [
    { id: 'it', ...node },
    { id: 'answer', type: 'respond' },
  ]
  return { nodes, edges: inARow(nodes) }
}

const cases: [DocumentParts, ...string[]][] = [
  [
    { nodes: [{ id: '1a', type: 'respond' }] },
    'INVALID nodes.0.id: must be 1 to 50 letters, digits or underscores, and not begin with a digit',
  ],
  [
    {
      nodes: [
        { id: 'a', type: 'respond' },
        { id: 'a', type: 'respond' },
      ],
    },
    'DUPLICATE_ID nodes.1.id: is already the id of an earlier node',
  ],
  [
    { nodes: [{ id: 'a', type: 'get-items' }] },
    `UNKNOWN_TYPE nodes.0.type: must be one of ${nodeTypes.join(', ')}; did you mean "get-item"?`,
  ],
  [withNode({ type: 'compute' }), 'REQUIRED nodes.0.value: is required'],
  [withNode({ type: 'compute', value: 1 }), 'WRONG_TYPE nodes.0.value: must be a string with an expression'],
  [
    withNode({ type: 'compute', value: '1', vale: '' }),
    'UNKNOWN_PROPERTY nodes.0.vale: is not allowed; did you mean "value"?',
  ],
  [withNode({ type: 'compute', value: '1', each: '[]' }), 'UNKNOWN_PROPERTY nodes.0.each: is not allowed'],
  [withNode({ type: 'compute', value: '(1' }), 'EXPRESSION nodes.0.value: expected ")", but found the end'],
  [
    withNode({ type: 'compute', value: 'inptu.a' }),
    'EXPRESSION nodes.0.value: there is no "inptu" here; did you mean "input"?',
  ],
  [withNode({ type: 'compute', value: 'item' }), 'EXPRESSION nodes.0.value: there is no "item" here'],
  [
    withNode({ type: 'compute', value: `"${'x'.repeat(4_096)}"` }),
    'EXPRESSION nodes.0.value: at most 4,096 characters are allowed',
  ],
  [withNode({ type: 'compute', value: 'steps["nothing"]' }), 'UNKNOWN_STEP nodes.0.value: there is no node "nothing"'],
  [withNode({ type: 'compute', value: 'map([1], steps => steps.nothing)' })],
  [
    withNode({ type: 'compute', value: 'steps.answer' }),
    '(warning) UNKNOWN_STEP nodes.0.value: reads steps.answer, which is null here: "answer" never runs before "it"',
  ],
  [
    withNode({ type: 'require', when: 'true', message: 'no', status: 500 }),
    'INVALID nodes.0.status: must be a whole number from 400 to 499',
  ],
  [
    withNode({ type: 'require', when: 'true', message: 'x'.repeat(1_001) }),
    'INVALID nodes.0.message: must be at most 1000 characters long',
  ],
  [withNode({ type: 'get-item', list: 'a b', item: '""' }), 'INVALID nodes.0.list: must be the path name of a list'],
  [
    withNode({ type: 'list-items', list: 'a', limit: 101 }),
    'INVALID nodes.0.limit: must be a whole number from 1 to 100',
  ],
  [
    withNode({ type: 'list-items', list: 'a', limit: 1.5 }),
    'INVALID nodes.0.limit: must be a whole number from 1 to 100',
  ],
  [withNode({ type: 'list-items', list: 'a', direction: 'up' }), 'INVALID nodes.0.direction: must be one of asc, desc'],
  [
    withNode({ type: 'list-items', list: 'a', where: [] }),
    'WRONG_TYPE nodes.0.where: must be an object of expressions',
  ],
  [
    withNode({ type: 'list-items', list: 'a', where: { b: 1 } }),
    'WRONG_TYPE nodes.0.where.b: must be a string with an expression',
  ],
  [
    withNode({
      type: 'list-items',
      list: 'a',
      where: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, '1'])),
    }),
    'INVALID nodes.0.where: must have at most 20 entries',
  ],
  [
    withNode({ type: 'create-item', list: 'a', data: '1', tags: ['a b'] }),
    'INVALID nodes.0.tags: must be 1 to 50 letters, digits, hyphens or underscores',
  ],
  [
    withNode({ type: 'create-item', list: 'a', data: '1', each: 'item' }),
    'EXPRESSION nodes.0.each: there is no "item" here',
  ],
  [
    withNode({ type: 'update-item', list: 'a', item: '""' }),
    'INVALID nodes.0: must have exactly one of merge, patch and data',
  ],
  [
    withNode({ type: 'update-item', list: 'a', item: '""', merge: '{}', data: '{}' }),
    'INVALID nodes.0: must have exactly one of merge, patch and data',
  ],
  [
    withNode({ type: 'emit', webhooks: [], payload: '1' }),
    'WRONG_TYPE nodes.0.webhooks: must be an array of at least one id',
  ],
  [
    withNode({ type: 'emit', webhooks: ['x'.repeat(37)], payload: '1' }),
    'INVALID nodes.0.webhooks.0: must be at most 36 characters long',
  ],
  [
    withNode({ type: 'emit', webhooks: ['w1'], payload: '1' }),
    'INVALID nodes.0.webhooks.0: must be an id (a lower-case UUID)',
  ],
  [
    withNode({ type: 'emit', webhooks: Array.from({ length: 21 }, (_, n) => `w${n}`), payload: '1' }),
    'INVALID nodes.0.webhooks: must have at most 20 ids',
  ],
  [
    withNode({ type: 'switch', cases: [] }),
    'WRONG_TYPE nodes.0.cases: must be an array of at least one case, such as {"when": "input.a > 1", "port": "big"}',
  ],
  [withNode({ type: 'switch', cases: [{ when: 'true' }] }), 'REQUIRED nodes.0.cases.0.port: is required'],
  [
    withNode({ type: 'switch', cases: [{ when: 'true', port: 'a b' }] }),
    'INVALID nodes.0.cases.0.port: must be 1 to 50 letters, digits or underscores, and not begin with a digit',
  ],
  [
    { nodes: [{ id: 'a', type: 'respond', status: 204, body: '1' }] },
    'INVALID nodes.0.body: is not allowed: an answer with the status 204 has no body',
  ],
  ...[
    'set-cookie',
    'content-type',
    'x-frame-options',
    'X-Accel-Redirect',
    'X-Reproxy-URL',
    'x-envoy-ratelimited',
    'connection',
    'Transfer-Encoding',
    'x-flow-run',
    'x_a',
  ].map((name): [DocumentParts, string] => [
    { nodes: [{ id: 'a', type: 'respond', headers: { [name]: '"1"' } }] },
    `HEADER nodes.0.headers.${name}: is a header that a flow may not set`,
  ]),
]

for (const [n, [parts, ...expected]] of cases.entries())
  test(`${n}: ${expected.join('; ') || JSON.stringify(parts)}`, (t) => assertDiagnostics(t, parts, expected))
