import test from 'ava'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { documentText } from '../../../../support/flows/documents.ts'

const step = (id: string) => ({ id, type: 'require', when: 'true', message: 'm' })
const decision = (id: string) => ({ id, type: 'condition', when: 'true' })
const end = (id: string) => ({ id, type: 'respond' })

const cases: [title: string, nodes: unknown[], edges: unknown, ...expected: string[]][] = [
  ['one node needs no edge', [end('a')], []],
  [
    'a node may be reached in several ways',
    [decision('a'), step('b'), end('c')],
    [
      ['a', 'b', 'true'],
      ['a', 'c', 'false'],
      ['b', 'c'],
    ],
  ],
  ['edges must be an array', [end('a')], {}, 'WRONG_TYPE edges must be an array of edges'],
  ['an edge must be an array', [end('a')], [1], 'WRONG_TYPE edges.0 must be [from, to]'],
  ['an edge must have two ends', [end('a')], [['a']], 'WRONG_TYPE edges.0 must be [from, to]'],
  [
    'both ends of an edge must be texts',
    [step('a'), end('b')],
    [
      ['a', 'b'],
      ['a', 1],
    ],
    'WRONG_TYPE edges.1 must be [from, to]',
  ],
  [
    'an edge must go from a node to a node',
    [step('alpha'), end('b')],
    [
      ['alpha', 'b'],
      ['alpah', 'c'],
    ],
    'UNKNOWN_NODE edges.1.0 is not the id of a node; did you mean "alpha"?',
    'UNKNOWN_NODE edges.1.1 is not the id of a node',
  ],
  [
    'a node that ends the run has no edges',
    [end('a'), end('b')],
    [['a', 'b']],
    'UNREACHABLE nodes.1 cannot be reached',
    'UNKNOWN_PORT edges.0 starts at "a", which ends the run',
  ],
  [
    'a port must be named if there are several',
    [decision('a'), end('b')],
    [['a', 'b']],
    'DEAD_END nodes.0 has no effect: no port',
    'UNREACHABLE nodes.1',
    'UNKNOWN_PORT edges.0 must name a port of "a", a condition: "true", "false"',
  ],
  [
    'a named port must be one that the node has',
    [decision('a'), end('b')],
    [
      ['a', 'b', 'yes'],
      ['a', 'b', 'true'],
      ['a', 'b', 'false'],
    ],
    'UNKNOWN_PORT edges.0.2 is not a port of "a", which has the ports true, false',
  ],
  [
    'a node with one port has no named ports',
    [step('a'), end('b')],
    [
      ['a', 'b'],
      ['a', 'b', 'next'],
    ],
    'UNKNOWN_PORT edges.1.2 is not a port of "a", which has no named ports',
  ],
  [
    'a port must have only one edge',
    [step('a'), end('b'), end('c')],
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
    'UNREACHABLE nodes.2',
    'DUPLICATE_PORT edges.1 is a second edge of "a"',
  ],
  [
    'a named port must have only one edge',
    [decision('a'), end('b')],
    [
      ['a', 'b', 'true'],
      ['a', 'b', 'false'],
      ['a', 'b', 'true'],
    ],
    'DUPLICATE_PORT edges.2 is a second edge of the port "true" of "a"',
  ],
  [
    'an edge must not go from a node to itself',
    [step('a')],
    [['a', 'a']],
    'CYCLE edges.0 is part of a loop, and a run visits each node at most once: a → a',
  ],
  [
    'edges must not form a loop',
    [step('a'), decision('b'), end('c')],
    [
      ['a', 'b'],
      ['b', 'a', 'true'],
      ['b', 'c', 'false'],
    ],
    'CYCLE edges.1 is part of a loop, and a run visits each node at most once: a → b → a',
  ],
  [
    'a loop that is not reached is reported too',
    [end('a'), step('b'), step('c')],
    [
      ['b', 'c'],
      ['c', 'b'],
    ],
    'UNREACHABLE nodes.1',
    'UNREACHABLE nodes.2',
    'CYCLE edges.1',
  ],
  [
    'every node must be reached',
    [step('a'), step('b')],
    [],
    'UNREACHABLE nodes.1 cannot be reached: no edges lead from "a", the first node, to "b"',
  ],
  [
    'a condition must have an edge',
    [decision('a')],
    [],
    'DEAD_END nodes.0 has no effect: no port of "a" goes to a node',
  ],
  [
    'an open port is reported',
    [decision('a'), end('b')],
    [['a', 'b', 'true']],
    '(warning) DEAD_END nodes.0 ends the run with 204 at its port "false"',
  ],
  [
    'a value that nothing uses is reported',
    [{ id: 'a', type: 'compute', value: '1' }],
    [],
    '(warning) DEAD_END nodes.0 has no effect',
  ],
  [
    'a node of unknown type may have any edge',
    [{ id: 'a', type: 'x' }, end('b')],
    [['a', 'b', 'p']],
    'UNKNOWN_TYPE nodes.0.type must be one of',
  ],
]

for (const [title, nodes, edges, ...expected] of cases) {
  test(title, (t) => {
    const { diagnostics } = readFlow(documentText({ nodes, edges }))
    const found = diagnostics.map(
      ({ severity, code, path, message }) => `${severity === 'warning' ? '(warning) ' : ''}${code} ${path} ${message}`,
    )
    t.is(found.length, expected.length, found.join('\n'))
    for (const [n, one] of expected.entries()) t.true(found[n]?.startsWith(one), found.join('\n'))
  })
}

test('a document has at most 2,000 edges', (t) => {
  const edges = Array.from({ length: 2_001 }, () => ['a', 'b'])
  const { diagnostics } = readFlow(documentText({ nodes: [step('a'), end('b')], edges }))
  t.is(diagnostics[0]?.message, 'must have at most 2,000 edges')
})
