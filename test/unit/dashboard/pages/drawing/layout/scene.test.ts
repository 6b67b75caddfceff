import test from 'ava'
import {
  chosenAt,
  type Found,
  findingsOn,
  placeOfChosen,
} from '#services/dashboard/pages/drawing/layout/findings-on.ts'
import { neighborBox, sceneOf } from '#services/dashboard/pages/drawing/layout/scene.ts'
import { readingOrder, wayOf } from '#services/dashboard/pages/drawing/layout/way.ts'
import { type DrawnFlow, readDrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'

const text = JSON.stringify({
  entry: { path: 'x' },
  nodes: [
    { id: 'big', type: 'condition' },
    { id: 'end', type: 'respond' },
    { id: 'sum', type: 'compute' },
  ],
  edges: [
    ['big', 'end', 'false'],
    ['big', 'sum', 'true'],
    ['sum', 'end'],
  ],
})
const flow = readDrawnFlow(text) as DrawnFlow

test('arrow keys go to the next box in a direction', (t) => {
  const scene = sceneOf(flow, 'POST /flows/x')
  t.is(neighborBox(scene, '', 'down'), 'big')
  t.is(neighborBox(scene, 'big', 'up'), '')
  t.is(neighborBox(scene, 'big', 'down'), 'sum')
  t.is(neighborBox(scene, 'end', 'up'), 'sum')
  t.is(neighborBox(scene, 'end', 'down'), null)
  t.is(neighborBox(scene, 'end', 'left'), null)
})

test('ports are in their order, and those without an edge are open', (t) => {
  const { ports } = sceneOf({ ...flow, edges: flow.edges.slice(0, 1) }, null)
  t.deepEqual(
    ports.map(({ node, port, isOpen, label }) => [node, port, isOpen, label]),
    [
      ['big', 'true', true, 'true'],
      ['big', 'false', false, 'false'],
      ['sum', 'next', true, null],
    ],
  )
  t.true((ports[0]?.x ?? 0) < (ports[1]?.x ?? 0))
})

test('an outline has the nodes in the order in which runs reach them, by their ports', (t) =>
  t.deepEqual(
    readingOrder({
      ...flow,
      nodes: [...flow.nodes, { ...flow.nodes[2], key: '#3', id: null } as (typeof flow.nodes)[number]],
    }),
    ['big', 'sum', 'end', '#3'],
  ))

test('the path of a run is its steps and the edges that it took', (t) => {
  const steps = [
    { node: 'big', port: 'false', fuel: 3, durationMs: 1.5 },
    { node: 'end', port: null, fuel: 0, durationMs: null },
  ]
  t.deepEqual(wayOf(steps, 'end'), {
    steps: new Map([
      ['big', { n: 1, fuel: 3, durationMs: 1.5 }],
      ['end', { n: 2, fuel: 0, durationMs: null }],
    ]),
    edges: new Set(['big false']),
    failedAt: 'end',
  })
})

const finding = (from: number): Found => ({
  from,
  message: `at ${from}`,
  severity: 'error',
})

test('a finding in the text belongs to its node, a finding on an edge to the node where it begins, and others to none', (t) => {
  const found = findingsOn(
    flow,
    [text.indexOf('"compute"'), text.indexOf('["sum"'), text.indexOf('"x"'), 0].map(finding),
  )
  t.deepEqual(
    [...found].map(([key, all]) => [key, all.length]),
    [
      ['sum', 2],
      ['', 1],
    ],
  )
})

test('a position in the text selects the node or edge there, and a selection has its position', (t) => {
  for (const chosen of [{ node: 'sum' }, { node: 'big', port: 'true' }, { node: '' }]) {
    const place = placeOfChosen(flow, chosen)
    t.deepEqual(chosenAt(flow, place?.from ?? 0), chosen)
    t.deepEqual(chosenAt(flow, place?.to ?? 0), chosen)
  }
  t.is(chosenAt(flow, 0), null)
  t.is(placeOfChosen(flow, { node: 'gone' }), null)
  t.is(placeOfChosen(flow, { node: 'sum', port: 'true' }), null)
})
