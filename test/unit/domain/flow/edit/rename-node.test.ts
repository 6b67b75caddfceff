import test from 'ava'
import { readDrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import { cannotRename, renameInTests, renameNode } from '#shared/domain/flow/edit/rename-node.ts'

const text = String.raw`{
  "helpers": "let n = steps.card.n; function f(steps) = steps.card;",
  "nodes": [
    { "id": "card", "type": "get-item", "list": "cards", "item": "'card'" },
    { "type": "list-items", "id": "all", "list": "cards", "where": { "a": "steps[\"card\"]", "b": { "filter": "'\u00e9' + steps['card']" } } },
    { "id": "way", "type": "switch", "cases": [{ "when": "steps?.card.id == 1", "port": "card" }] },
    { "id": "end", "type": "respond", "body": "{card: steps.card, cards: steps.cards}", "headers": { "x-a": "steps.card.id" } }
  ],
  "edges": [["card", "all"], ["all", "way"], ["way", "end", "card"]]
}`

test('a node is renamed in its id, its edges, and wherever expressions and helpers read its step; nothing else changes', (t) => {
  const renamed = renameNode(text, { from: 'card', to: 'ballot' })
  t.deepEqual(renamed.unsure, [])
  t.is(
    renamed.text,
    text
      .replace('"id": "card"', '"id": "ballot"')
      .replace('["card", "all"]', '["ballot", "all"]')
      .replace('n = steps.card', 'n = steps.ballot')
      .replace(String.raw`steps[\"card\"]`, String.raw`steps[\"ballot\"]`)
      .replace("steps['card']", "steps['ballot']")
      .replace('steps?.card', 'steps?.ballot')
      .replace('{card: steps.card,', '{card: steps.ballot,')
      .replace('"steps.card.id"', '"steps.ballot.id"'),
  )
  t.is(renameNode(renamed.text, { from: 'ballot', to: 'card' }).text, text)
})

test('expressions that may name the node by a computed key, or that have errors, are reported', (t) => {
  const document = {
    nodes: [
      { id: 'a', type: 'compute', value: 'steps[input.x]' },
      { id: 'b', type: 'require', when: 'steps.a ==', message: 'steps.a' },
      { id: 'c', type: 'compute', value: 'x ==' },
      { id: 'd', type: 'nothing', value: 'steps.a' },
    ],
  }
  const { unsure } = renameNode(JSON.stringify(document), { from: 'a', to: 'z' })
  t.deepEqual(unsure, ['/nodes/0/value', '/nodes/1/when'])
})

test('a new name must not be in use by another node, and must have the form of an id', (t) => {
  const flow = readDrawnFlow(text)
  if (!flow) return t.fail()
  t.is(cannotRename(flow, { from: 'card', to: 'all' }), 'is the id of another node')
  t.regex(cannotRename(flow, { from: 'card', to: '1st' }) ?? '', /not begin with a digit/)
  t.is(cannotRename(flow, { from: 'card', to: 'card' }), null)
})

test('expected writes and emits of a node in the tests of a flow are renamed with it', (t) => {
  const tests = `{ "tests": [
    { "name": "card", "expect": { "writes": [{ "op": "update", "node": "card" }, { "node": "all" }] } },
    { "name": "b", "expect": { "emits": [{"node":"card"}], "status": 2.0 } }
  ] }`
  t.is(
    renameInTests(tests, { from: 'card', to: 'ballot' }),
    tests.replaceAll('"node": "card"', '"node": "ballot"').replace('"node":"card"', '"node":"ballot"'),
  )
})
