import test, { type ExecutionContext } from 'ava'
import { cannotBegin, newNode } from '#shared/domain/flow/edit/beginnings.ts'
import { cannotConnect, connect, disconnect } from '#shared/domain/flow/edit/change-edges.ts'
import { addNode, cannotAdd, deleteNode, type NewPlace } from '#shared/domain/flow/edit/change-nodes.ts'
import { type DrawnFlow, readDrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import { renameNode } from '#shared/domain/flow/edit/rename-node.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { nodeTypes } from '#shared/domain/flow/language/properties.ts'
import { layOut } from '#shared/json/text/layout.ts'
import { pick, seeded } from '../../../../support/load/random-json.ts'

const names = { list: 'cards', webhook: '01890000-0000-7000-8000-000000000001' }

/** A document as a person writes it: one node per line, and a number and a text that a program would write differently. */
const written = `{
  "version": 1, "name": "Vote",
  "description": "\\u00e9 1.50",
  "entry": { "type": "endpoint", "path": "vote" },
  "nodes": [
    { "id": "known", "type": "require", "when": "identity != null", "message": "No." },
    { "id": "big",   "type": "condition", "when": "input.n > 1e1" },
    { "id": "card",  "type": "get-item", "list": "cards", "item": "input.card" },
    { "id": "end",   "type": "respond", "body": "steps.card" }
  ],
  "edges": [
    ["known", "big"], ["big", "card", "true"],
    ["big", "end", "false"], ["card", "end"]
  ]
}
`

function drawn(text: string): DrawnFlow {
  const flow = readDrawnFlow(text)
  if (!flow) throw new Error('It cannot be drawn.')
  return flow
}
const errorsOf = (text: string) =>
  readFlow(text).diagnostics.flatMap(({ severity, code }) => (severity === 'error' ? [code] : []))
const edgesOf = (text: string) => drawn(text).edges.map(({ from, to, port }) => `${from}.${port} → ${to}`)
const linesAdded = (text: string) => text.split('\n').filter((line) => !written.split('\n').includes(line))

test('a document is drawn by its nodes, their ports and edges, and the position of each in the text', (t) => {
  const flow = drawn(written)
  t.deepEqual(
    flow.nodes.map(({ key, type, ports }) => [key, type, ports.join()]),
    [
      ['known', 'require', 'next'],
      ['big', 'condition', 'true,false'],
      ['card', 'get-item', 'next'],
      ['end', 'respond', ''],
    ],
  )
  t.deepEqual(edgesOf(written), ['known.next → big', 'big.true → card', 'big.false → end', 'card.next → end'])
  const at = ({ from, to }: { from: number; to: number }) => written.slice(from, to)
  t.regex(at(flow.nodes[2]?.place ?? { from: 0, to: 0 }), /^\{ "id": "card".*\}$/)
  t.is(at(flow.edges[1]?.place ?? { from: 0, to: 0 }), '["big", "card", "true"]')
  t.is(at(flow.entry ?? { from: 0, to: 0 }), '{ "type": "endpoint", "path": "vote" }')
})

test('invalid nodes are drawn too: without an id or a type, with a duplicate id, ports of cases; edges to nothing are not drawn', (t) => {
  const text = JSON.stringify({
    nodes: [
      7,
      { type: 'switch', cases: [{ port: 'a' }, 1, { port: 'a' }] },
      { id: 'x' },
      { id: 'x', type: 'constructor' },
    ],
    edges: [['x', 'y'], ['x'], 'x', ['x', 'x', 'p']],
  })
  const { nodes, edges, entry } = drawn(text)
  t.deepEqual(
    nodes.map(({ key, id, ports }) => [key, id, ports.join()]),
    [
      ['#0', null, 'next'],
      ['#1', null, 'a,default'],
      ['x', 'x', 'next'],
      ['#3', null, 'next'],
    ],
  )
  t.deepEqual([edges.map(({ port }) => port), entry], [['p'], null])
  t.deepEqual(['{"nodes": [', '[]', 'null', ''].map(readDrawnFlow), [null, null, null, null])
})

test('a new node of each type is valid by the check of documents', (t) => {
  for (const type of nodeTypes) {
    const base = '{"version":1,"name":"x","entry":{"type":"endpoint","path":"x"},"nodes":[{"id":"a","type":"respond"}]}'
    const text = type === 'respond' ? base : (addNode(base, type, { at: 'first', names })?.text ?? '')
    t.deepEqual(errorsOf(text), [], type)
  }
  t.is(cannotBegin('emit', { list: 'x', webhook: null }), 'there is no webhook yet')
  t.is(cannotBegin('delete-item', { list: null, webhook: 'x' }), 'there is no list yet')
})

test('a new node has its own id, after its type', (t) => {
  t.is(newNode(drawn(written), 'get-item', names).id, 'get_item')
  const twice = addNode(addNode(written, 'compute', { at: 'alone', names })?.text ?? '', 'compute', {
    at: 'alone',
    names,
  })
  t.is(twice?.id, 'compute_2')
})

test('a node is inserted between a port and its target, in the lines that a person would write', (t) => {
  const added = addNode(written, 'compute', { at: { node: 'big', port: 'true' }, names })
  t.deepEqual(linesAdded(added?.text ?? ''), [
    '    { "id": "compute", "type": "compute", "value": "null" },',
    '    ["known", "big"], ["big", "compute", "true"], ["compute", "card"],',
  ])
  t.deepEqual(errorsOf(added?.text ?? ''), [])
})

test('a node is added before the first one, and becomes the start', (t) => {
  const added = addNode(written, 'require', { at: 'first', names })?.text ?? ''
  t.is(drawn(added).nodes[0]?.id, 'require')
  t.true(edgesOf(added).includes('require.next → known'))
  t.deepEqual(errorsOf(added), [])
})

test('a node that ends the run cannot be added where something follows', (t) => {
  const flow = drawn(written)
  t.regex(cannotAdd(flow, 'respond', { at: 'first', names }) ?? '', /ends the run/)
  t.regex(cannotAdd(flow, 'respond', { at: { node: 'card', port: 'next' }, names }) ?? '', /ends the run/)
  t.is(
    cannotAdd(drawn(disconnect(written, { node: 'card', port: 'next' })), 'respond', {
      at: { node: 'card', port: 'next' },
      names,
    }),
    null,
  )
  t.is(
    cannotAdd({ ...flow, nodes: Array(200).fill(flow.nodes[0]) }, 'compute', { at: 'alone', names }),
    'a flow has at most 200 nodes',
  )
})

test('a port is connected to another node by its edge, and an open port by a new edge after those of its node', (t) => {
  const changed = connect(written, { node: 'big', port: 'false' }, 'card')
  t.deepEqual(linesAdded(changed), ['    ["big", "card", "false"], ["card", "end"]'])
  const open = disconnect(written, { node: 'big', port: 'true' })
  t.deepEqual(linesAdded(open), ['    ["known", "big"],'])
  t.deepEqual(edgesOf(connect(open, { node: 'big', port: 'true' }, 'card')), [
    'known.next → big',
    'big.false → end',
    'big.true → card',
    'card.next → end',
  ])
  const bare = '{\n  "version": 1,\n  "nodes": [{ "id": "a", "type": "compute" }, { "id": "b", "type": "respond" }]\n}'
  t.is(connect(bare, { node: 'a', port: 'next' }, 'b'), bare.replace(']\n', '],\n  "edges": [["a", "b"]]\n'))
})

test('an edge that would create a cycle is not offered', (t) => {
  const flow = drawn(written)
  t.regex(cannotConnect(flow, { node: 'card', port: 'next' }, 'known') ?? '', /loop/)
  t.regex(cannotConnect(flow, { node: 'card', port: 'next' }, 'card') ?? '', /loop/)
  t.is(cannotConnect(flow, { node: 'known', port: 'next' }, 'end'), null)
  t.is(cannotConnect(flow, { node: 'card', port: 'true' }, 'end'), 'there is no such port or node')
})

test('a node is deleted with its edges, and edges to it go to the node that followed', (t) => {
  const without = deleteNode(written, 'card') ?? ''
  t.deepEqual(edgesOf(without), ['known.next → big', 'big.true → end', 'big.false → end'])
  t.deepEqual(linesAdded(without), ['    ["known", "big"], ["big", "end", "true"],', '    ["big", "end", "false"]'])
  // Another node reads the deleted step, and the check reports it.
  t.deepEqual(errorsOf(without), ['UNKNOWN_STEP'])
  t.deepEqual(edgesOf(deleteNode(written, 'big') ?? ''), ['card.next → end'])
})

test('if the first node is deleted, the next node becomes the first', (t) => {
  const text = written
    .replace('["known", "big"]', '["known", "card"], ["card", "big"]')
    .replace('["big", "card", "true"],', '')
    .replace(', ["card", "end"]', '')
  const without = deleteNode(text, 'known') ?? ''
  t.deepEqual(
    drawn(without).nodes.map(({ id }) => id),
    ['card', 'big', 'end'],
  )
})

test('the only node cannot be deleted', (t) => t.is(deleteNode('{"nodes": [{"id": "a"}]}', 'a'), null))

const start = {
  version: 1,
  name: 'x',
  description: '[{"id": "fake"}, {"type": "emit"}]',
  entry: { type: 'endpoint', path: 'x' },
  nodes: [
    { id: 'first', type: 'compute', value: '{nodes: [1]}' },
    { id: 'end', type: 'respond', body: '[steps.first, "steps.first"]' },
  ],
  edges: [['first', 'end']],
  layout: { first: [1, 2] },
}
/** Layouts of a document, as programs and people write it. */
const layouts: readonly ((document: unknown) => string)[] = [
  (document) => JSON.stringify(document),
  (document) => JSON.stringify(document, null, 2),
  (document) => JSON.stringify(document, null, '\t'),
  (document) => layOut(JSON.stringify(document)),
  (document) => JSON.stringify(document, null, 1).replaceAll('\n', '\r\n').replaceAll(',', ' , '),
]

type Edit = { text: string; back?: (text: string) => string | null }

/** An edit that the page would offer, and the edit that undoes it, if there is one. */
function randomEdit(random: () => number, text: string, flow: DrawnFlow): Edit | null {
  const node = pick(random, flow.nodes as [DrawnFlow['nodes'][number]])
  const other = pick(random, flow.nodes as [DrawnFlow['nodes'][number]])
  const [id, to] = [node.key, other.key]
  const port = node.ports.length > 0 ? pick(random, node.ports as [string]) : null
  const present = flow.edges.find((edge) => edge.from === id && edge.port === port)
  switch (pick(random, ['add', 'add', 'connect', 'connect', 'disconnect', 'rename', 'delete'])) {
    case 'add': {
      const at: NewPlace = random() < 0.1 ? 'first' : port === null ? 'alone' : { node: id, port }
      const type = pick(random, nodeTypes as [(typeof nodeTypes)[number]])
      if (cannotAdd(flow, type, { at, names }) !== null) return null
      const added = addNode(text, type, { at, names })
      return added && { text: added.text, ...(at === 'alone' && { back: (now) => deleteNode(now, added.id) }) }
    }
    case 'connect': {
      if (port === null || cannotConnect(flow, { node: id, port }, to) !== null) return null
      const before = present?.to
      const back = (now: string) =>
        before === undefined ? disconnect(now, { node: id, port }) : connect(now, { node: id, port }, before)
      return { text: connect(text, { node: id, port }, to), ...(flow.edges.length > 0 && { back }) }
    }
    case 'disconnect':
      return present && port !== null ? { text: disconnect(text, { node: id, port }) } : null
    case 'rename': {
      const name = `n${Math.floor(random() * 1e9)}`
      return {
        text: renameNode(text, { from: id, to: name }).text,
        back: (now) => renameNode(now, { from: name, to: id }).text,
      }
    }
    default: {
      const without = deleteNode(text, id)
      return without === null ? null : { text: without }
    }
  }
}

/** Errors that the check may report about an unfinished drawing. */
const unfinished = new Set(['UNREACHABLE', 'DEAD_END', 'UNKNOWN_STEP'])
const linesOf = (text: string) => new Set(text.split('\n').map((line) => line.replace(/[\s,]+$/, '')))

for (const [n, lay] of layouts.entries())
  test(`random edits leave a document that the check accepts, and every other character unchanged: layout ${n}`, (t) => {
    const random = seeded(n + 1)
    let text = lay(start)
    let edits = 0
    for (let tried = 0; tried < 400; tried++) {
      const flow = readDrawnFlow(text)
      if (!flow) return t.fail('It can no longer be drawn.')
      const edit = randomEdit(random, text, flow)
      if (!edit) continue
      edits++
      t.deepEqual(
        errorsOf(edit.text).filter((code) => !unfinished.has(code)),
        [],
        edit.text,
      )
      if (edit.back) t.is(edit.back(edit.text), text)
      assertUntouched(t, text, edit.text)
      text = flow.nodes.length > 40 ? lay(start) : edit.text
    }
    t.true(edits > 100)
  })

test('complete edits leave a document without errors', (t) => {
  const random = seeded(9)
  for (const lay of layouts) {
    let text = lay(start)
    for (let tried = 0; tried < 60; tried++) {
      const flow = readDrawnFlow(text)
      const node = flow && pick(random, flow.nodes as [DrawnFlow['nodes'][number]])
      const port = node?.ports.find((one) => flow?.edges.some((edge) => edge.from === node.key && edge.port === one))
      const type = pick(random, nodeTypes as [(typeof nodeTypes)[number]])
      const at: NewPlace = node && port !== undefined ? { node: node.key, port } : 'first'
      if (!flow || cannotAdd(flow, type, { at, names }) !== null) continue
      const added = addNode(text, type, { at, names })
      text = renameNode(added?.text ?? '', { from: added?.id ?? '', to: `step${tried}` }).text
      t.deepEqual(errorsOf(text), [])
    }
  }
})

type Assertions = Pick<ExecutionContext, 'deepEqual' | 'true'>

/** Asserts that every member except nodes and edges, and every node that both texts have, is the same to the byte. */
function assertUntouched(t: Assertions, before: string, after: string): void {
  const [old, now] = [readDrawnFlow(before), readDrawnFlow(after)]
  const parts = (text: string, flow: DrawnFlow | null) =>
    new Map(flow?.nodes.map(({ key, place }) => [key, text.slice(place.from, place.to)]))
  const [oldNodes, newNodes] = [parts(before, old), parts(after, now)]
  const renamed = [...newNodes.keys()].filter((key) => !oldNodes.has(key)).length
  const changed = [...oldNodes].filter(([key, text]) => newNodes.has(key) && newNodes.get(key) !== text)
  // Other nodes may change only if a step was renamed: the nodes that read it.
  if (renamed === 0 || newNodes.size > oldNodes.size) t.deepEqual(changed, [])
  const rest = (text: string) => text.slice(0, text.indexOf('nodes"', text.indexOf('entry"')))
  t.deepEqual(rest(after), rest(before))
  t.true(after.slice(after.lastIndexOf('layout"')) === before.slice(before.lastIndexOf('layout"')))
  if (before.includes('\n'))
    for (const line of linesOf(before)) if (/^\s*"(?:version|name|path)/.test(line)) t.true(linesOf(after).has(line))
}
